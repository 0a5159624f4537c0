#!/usr/bin/env node
// The program: one command a verb.
import { readFileSync } from 'node:fs';
import yargs from 'yargs';
import { hideBin } from 'yargs/helpers';
import { check } from './commands/check.js';
import { explain } from './commands/explain.js';
import { leases } from './commands/leases.js';
import { probe } from './commands/probe.js';
import { serve } from './commands/serve.js';

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

await yargs(hideBin(process.argv))
  .scriptName('leasehold')
  .usage('$0 COMMAND: a DHCP server with an embedded IPAM, for machines that boot over the network')
  .command(serve)
  .command(check)
  .command(leases)
  .command(explain)
  .command(probe)
  .demandCommand(1, 'Name a command.')
  .strict()
  .recommendCommands()
  .version(version)
  .epilogue('Exit codes: 0 done, 1 fault, 2 bad input or conflict, 3 no answer, 4 NAK, 5 store unusable.')
  .fail((message: string | null, error: Error | undefined) => {
    // A mistake on the command line has a message; anything else is a defect of ours, and is shown as one.
    if (message === null || message === '') throw error ?? new Error('the command failed');
    console.error(`${message}\nSee: leasehold --help`);
    process.exit(2);
  })
  .parseAsync();
