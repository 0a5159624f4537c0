// The program behind `npm run coverage`: the unit tests under c8, which holds the floors that .c8rc.json sets.
import { spawnSync } from 'node:child_process';

const c8 = 'node_modules/c8/bin/c8.js';
const ran = spawnSync(process.execPath, [c8, process.execPath, 'build/scripts/dev/unit.js'], { stdio: 'inherit' });
process.exitCode = ran.status ?? 1;
