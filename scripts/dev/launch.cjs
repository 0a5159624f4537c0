// From a clone to a running program: install what is missing, build, then become the program that was asked for.
'use strict';

const { spawnSync } = require('node:child_process');
const path = require('node:path');
const { pathToFileURL } = require('node:url');
const { bootstrap, headersBesideNode } = require('./bootstrap.cjs');

const root = path.resolve(__dirname, '../..');

/** What `npm start -- ARGS` runs: a command if ARGS begin with one, else the demo server with ARGS added. */
function startArguments(args) {
  if (args.length > 0 && !args[0].startsWith('-')) return args;
  return ['serve', '--demo', '--config', 'dhcpd.example.yaml', ...args];
}

/** The program behind the npm script `name`, under build/, and its arguments; undefined: building was all. */
function program(name, args) {
  if (name === 'build') return undefined;
  if (name === 'start') return ['scripts/leasehold.js', ...startArguments(args)];
  return [`scripts/dev/${name}.js`, ...args];
}

function build() {
  const built = spawnSync(process.execPath, [path.join(__dirname, 'build.mjs')], { cwd: root, stdio: 'inherit' });
  return built.status === 0;
}

/** Says why nothing was run. A run of tests ends with its plain line even so: what could not be tested has failed. */
function giveUp(name, why) {
  console.error(why);
  if (['check', 'nodes', 'test', 'unit'].includes(name)) console.log('\n0 passed, 1 failed');
  process.exitCode = 1;
}

/**
 * Ctrl-C comes twice to what npm runs, from the terminal and from npm. The twin must not end a server that is stopping;
 * a person's second Ctrl-C, later than that, must.
 */
function tellTwinsApart() {
  let first;
  process.on('SIGINT', () => {
    const unheard = first === undefined && process.listenerCount('SIGINT') === 1;
    first ??= performance.now();
    if (unheard || performance.now() - first > 500) process.exit(130);
  });
}

/**
 * Runs the npm script `name`. The program is loaded into this process and not started as a child, so that signals
 * reach it and its exit code is ours.
 */
async function launch(name, args) {
  // A native module built now or by a test must be built for this Node and by it, whichever `node` the PATH finds.
  process.env.PATH = `${path.dirname(process.execPath)}${path.delimiter}${process.env.PATH ?? ''}`;
  const headers = headersBesideNode();
  if (headers !== undefined) process.env.npm_config_nodedir = headers;
  const trouble = bootstrap(root);
  if (trouble !== undefined) return giveUp(name, trouble);
  if (!build()) return giveUp(name, 'The build failed; nothing was run.');
  const wanted = program(name, args);
  if (wanted === undefined) return;
  if (name === 'start') tellTwinsApart();
  process.chdir(root);
  const file = path.join(root, 'build', wanted[0]);
  process.argv = [process.execPath, file, ...wanted.slice(1)];
  await import(pathToFileURL(file).href);
}

module.exports = { launch, startArguments };
