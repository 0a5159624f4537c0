// leasehold probe: asks a DHCP server for an address as a client behind a relay would, and tells all that it was given.
import type { CommandModule } from 'yargs';
import { readDemoNote } from '../../server/demo.js';
import { exitCodes, runProbe } from '../probe/run.js';
import type { Arguments } from '../probe/settings.js';
import { readSettings } from '../probe/settings.js';

export const probe: CommandModule<object, Arguments> = {
  command: 'probe',
  describe: 'Ask a DHCP server for an address, and print every option that it gives',
  builder: (yargs) =>
    yargs
      .option('mac', { string: true, requiresArg: true, describe: 'Hardware address of the client' })
      .option('server', {
        string: true,
        requiresArg: true,
        describe: 'HOST[:PORT] to ask, port 67 unless given; without it the demo that `npm start` runs',
      })
      .option('link', {
        string: true,
        requiresArg: true,
        describe: 'Address or prefix of the network to ask for; without it the network of this machine',
      })
      .option('count', {
        string: true,
        requiresArg: true,
        describe: 'Ask for so many clients, with MAC addresses that count up',
      })
      .option('request', { string: true, requiresArg: true, describe: 'Address to wish for in the DISCOVER' })
      .option('reboot', {
        string: true,
        requiresArg: true,
        describe: 'Ask to keep this address, without a DISCOVER, as a client does that starts again',
      })
      .option('release', { boolean: true, describe: 'Give the address back at the end' })
      .option('vendor-class', { string: true, requiresArg: true, describe: 'Option 60, such as PXEClient' })
      .option('client-id', { string: true, requiresArg: true, describe: 'Option 61 as hexadecimal digits' })
      .option('option', {
        string: true,
        requiresArg: true,
        describe: 'NAME=VALUE of a further option to send, such as client-system=7; may be repeated',
      })
      .option('timeout', { string: true, requiresArg: true, describe: 'Seconds to wait for each answer (5)' })
      .option('json', { boolean: true, describe: 'Print one JSON object' })
      .example('$0 probe --mac 02:00:00:00:00:01', 'Ask the demo')
      .example('$0 probe --mac 02:00:00:00:00:01 --server 10.20.0.1 --link 10.20.0.0/24', 'Ask a server')
      .epilogue('Exit codes: 0 bound, 2 bad arguments, 3 no answer, 4 refused with a NAK.'),
  handler: async (given) => {
    const settings = readSettings(given, readDemoNote());
    if (!settings.ok) {
      for (const mistake of settings.mistakes) console.error(mistake);
      process.exitCode = exitCodes.badInput;
      return;
    }
    process.exitCode = await runProbe(settings.value, { out: console.log, err: console.error });
  },
};
