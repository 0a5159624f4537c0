// A program for the lab: the daemon with a store that does not wait for the disk, so that a test can show that it would notice.
import { parseArgs } from 'node:util';
import { systemClock } from '../../../server/clock.js';
import { Events } from '../../../server/events/events.js';
import { logTo } from '../../../server/events/log.js';
import { start } from '../../../server/start.js';

const text = { type: 'string' } as const;
const { values } = parseArgs({
  options: { config: text, store: text, 'log-format': text, 'log-packets': { type: 'boolean', default: false } },
});
const clock = systemClock();
const events = new Events(
  logTo(values['log-format'] === 'json' ? 'json' : 'text', () => clock.now()),
  () => clock.now(),
);
const started = await start({
  config: values.config ?? '',
  store: values.store,
  demo: false,
  logPackets: values['log-packets'],
  events,
  clock,
  synchronous: 'off',
});
if (!started.ok) throw new Error(started.message);
process.once('SIGTERM', () => {
  void started.daemon.close().then(() => events.close());
});
