// Makes node_modules fit to run: installs where lock file or Node's ABI changed, and says in plain words what is missing.
'use strict';

const { spawnSync } = require('node:child_process');
const { createHash } = require('node:crypto');
const fs = require('node:fs');
const path = require('node:path');

const tools = [
  { programs: ['python3'], debian: 'python3' },
  { programs: ['make', 'gmake'], debian: 'make' },
  { programs: ['g++', 'c++', 'clang++'], debian: 'g++' },
];

const unreachable =
  /\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ERR_SOCKET_TIMEOUT|ENOTCACHED)\b/;

/** What node_modules was installed for: another text means that it has to be installed again. */
function stampOf(lock) {
  const hash = createHash('sha256').update(lock).digest('hex');
  return `${hash} abi-${process.versions.modules} ${process.platform}-${process.arch}\n`;
}

/** The folder above include/node, where the running Node came with its own headers; undefined where it did not. */
function headersBesideNode() {
  const prefix = path.dirname(path.dirname(process.execPath));
  try {
    const text = fs.readFileSync(path.join(prefix, 'include/node/node_version.h'), 'utf8');
    const number = (part) => new RegExp(`#define NODE_${part}_VERSION (\\d+)`).exec(text)?.[1];
    const version = `${number('MAJOR')}.${number('MINOR')}.${number('PATCH')}`;
    return version === process.versions.node ? prefix : undefined;
  } catch {
    return undefined;
  }
}

/** The Debian packages whose program is not on `searchPath`, of those that a native build needs. */
function missingTools(searchPath) {
  const folders = searchPath.split(path.delimiter).filter((folder) => folder !== '');
  const found = (name) => folders.some((folder) => fs.existsSync(path.join(folder, name)));
  return tools.filter((tool) => !tool.programs.some(found)).map((tool) => tool.debian);
}

/** One plain sentence or two on why an installation failed; undefined where npm's own words have to do. */
function diagnose(output, searchPath) {
  if (/gyp ERR|node-gyp|prebuild-install|not found: (make|g\+\+)/.test(output)) {
    const missing = missingTools(searchPath);
    if (missing.length > 0) {
      const names = missing.join(', ');
      return `The native part of better-sqlite3 could not be built: ${names} missing. Install with: sudo apt-get install -y ${missing.join(' ')}`;
    }
    if (/gyp/.test(output) && unreachable.test(output)) {
      return "The native part of better-sqlite3 could not be built: Node's headers could not be fetched. Connect to the network, or set npm_config_nodedir to the folder that holds include/node.";
    }
    return 'The native part of better-sqlite3 could not be built; the compiler says why above.';
  }
  if (unreachable.test(output)) {
    return 'The dependencies could not be fetched: the npm registry does not answer. Connect to the network (or set a proxy for npm) and run this again.';
  }
  return undefined;
}

/** Runs npm with this Node. What it says on standard error is kept, for the diagnosis. */
function npm(root, args) {
  const script = process.env.npm_execpath;
  const own = script !== undefined && /\.c?js$/.test(script);
  const command = own ? process.execPath : 'npm';
  const ran = spawnSync(command, own ? [script, ...args] : args, {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    encoding: 'utf8',
    maxBuffer: 256 * 1024 * 1024,
  });
  const output = `${ran.stdout ?? ''}${ran.stderr ?? ''}${ran.error === undefined ? '' : String(ran.error)}`;
  return { ok: ran.status === 0, output };
}

/** Whether the native module loads and opens a database; tried in a process of its own, for a wrong one may crash. */
function storeWorks(root) {
  const program = "new (require('better-sqlite3'))(':memory:').close()";
  return spawnSync(process.execPath, ['-e', program], { cwd: root, stdio: 'ignore' }).status === 0;
}

function failed(output) {
  const reason = diagnose(output, process.env.PATH ?? '');
  const tail = output.trimEnd().split('\n').slice(-40).join('\n');
  return `${tail}\n\n${reason ?? 'npm could not install the dependencies; what it said stands above.'}`;
}

/**
 * Installs the dependencies of the clone at `root` where they are not there or not for this lock file and Node.
 * Returns undefined when all is well, else what to tell the person; `say` tells what takes its time meanwhile.
 */
function bootstrap(root, say = console.error) {
  const stampFile = path.join(root, 'node_modules/.leasehold-stamp');
  const stamp = stampOf(fs.readFileSync(path.join(root, 'package-lock.json')));
  if (fs.existsSync(stampFile) && fs.readFileSync(stampFile, 'utf8') === stamp) return undefined;
  say('Installing the dependencies; the first time this takes a minute or two.');
  const installed = npm(root, ['ci', '--include=dev', '--no-audit', '--no-fund']);
  if (!installed.ok) return failed(installed.output);
  if (!storeWorks(root)) {
    // So it is where npm was told to run no install scripts. This one was reviewed: package.json allows it by name.
    say('Building the native part of better-sqlite3.');
    const rebuilt = npm(root, ['rebuild', 'better-sqlite3', '--ignore-scripts=false']);
    if (!rebuilt.ok) return failed(rebuilt.output);
    if (!storeWorks(root)) return `better-sqlite3 was built but does not load on Node ${process.versions.node}.`;
  }
  fs.writeFileSync(stampFile, stamp);
  return undefined;
}

module.exports = { bootstrap, diagnose, headersBesideNode, missingTools, stampOf };
