// `leasehold serve`: the daemon in the foreground.
import type { CommandModule } from 'yargs';
import { systemClock } from '../../server/clock.js';
import { DEMO_PORTS } from '../../server/demo.js';
import { Events } from '../../server/events/events.js';
import type { LogFormat } from '../../server/events/log.js';
import { logTo } from '../../server/events/log.js';
import { start } from '../../server/start.js';

interface Arguments {
  config: string;
  store: string | undefined;
  demo: boolean;
  'log-packets': boolean;
  'log-format': LogFormat | undefined;
}

export const serve: CommandModule<object, Arguments> = {
  command: 'serve',
  describe: 'Serve the machines that a file declares',
  builder: (yargs) =>
    yargs
      .option('config', { type: 'string', demandOption: true, requiresArg: true, describe: 'The configuration file' })
      .option('store', {
        type: 'string',
        requiresArg: true,
        describe: 'The store, instead of the one that the file names',
      })
      .option('demo', {
        type: 'boolean',
        default: false,
        describe: `Serve 127.0.0.1 port ${DEMO_PORTS.server} only, with a store in .leasehold/, whatever the file says`,
      })
      .option('log-packets', { type: 'boolean', default: false, describe: 'Log a line for each packet' })
      .option('log-format', {
        choices: ['text', 'json'] as const,
        requiresArg: true,
        describe: 'How events are written on standard error; text on a terminal, else json',
      }),
  handler: async (args) => {
    const clock = systemClock();
    const format = args['log-format'] ?? (process.stderr.isTTY ? 'text' : 'json');
    const events = new Events(
      logTo(format, () => clock.now()),
      () => clock.now(),
    );
    const started = await start({
      config: args.config,
      store: args.store,
      demo: args.demo,
      logPackets: args['log-packets'],
      events,
      clock,
    });
    if (!started.ok) {
      await events.close();
      console.error(started.message);
      process.exitCode = started.exitCode;
      return;
    }
    if (args.demo) console.log(WHAT_TO_TRY);
    const { daemon } = started;
    process.on('SIGHUP', () => {
      daemon.reload().catch((error: unknown) => {
        events.error('reload-failed', {
          detail: error instanceof Error ? (error.stack ?? error.message) : String(error),
        });
      });
    });
    process.on('SIGUSR2', () => {
      events.info('counters', events.counters());
    });
    const signal = await nextSignal();
    events.info('stopping', { signal });
    await daemon.close();
    await events.close();
  },
};

/** The first SIGTERM or SIGINT; a second one ends the process as the system does by itself. */
function nextSignal(): Promise<string> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, resolve);
  });
}

const WHAT_TO_TRY = `
Leasehold serves the example's machines on 127.0.0.1 port ${DEMO_PORTS.server} (a demo: nothing leaves this machine).
In another terminal, in this folder:

  npx leasehold probe --mac 02:00:00:00:00:01     get node1's address
  npx leasehold leases                            see who holds what
  npx leasehold explain 10.20.0.11                and why

Ctrl-C ends it.
`;
