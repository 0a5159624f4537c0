// `leasehold explain ADDRESS|MAC`: who holds it, why, since which revision and line, and why not otherwise.
import type { CommandModule } from 'yargs';
import { storyAsJson, storyAsText } from '../explain/show.js';
import { subjectOf, tell } from '../explain/story.js';
import type { StoreArguments } from './where.js';
import { findStore, storeOptions } from './where.js';

interface Arguments extends StoreArguments {
  subject: string;
  json: boolean;
}

export const explain: CommandModule<object, Arguments> = {
  command: 'explain <subject>',
  describe: 'Say who holds an address or what a MAC holds, and why',
  builder: (yargs) =>
    yargs
      .positional('subject', {
        type: 'string',
        demandOption: true,
        describe: 'An address, a MAC, or an owner as `leases` shows it',
      })
      .option('store', storeOptions.store)
      .option('config', storeOptions.config)
      .option('json', { type: 'boolean', default: false, describe: 'As JSON' }),
  handler: async (args) => {
    const subject = subjectOf(args.subject);
    if (subject === undefined) {
      console.error(`${args.subject} is neither an address nor a MAC; right would be 10.20.0.11 or 02:00:00:00:00:01`);
      process.exitCode = 2;
      return;
    }
    const found = await findStore(args);
    if (!found.ok) {
      console.error(found.message);
      process.exitCode = found.exitCode;
      return;
    }
    try {
      const story = tell(found.reader, subject, Date.now());
      console.log(args.json ? JSON.stringify(storyAsJson(story), null, 2) : storyAsText(story));
    } finally {
      found.reader.close();
    }
  },
};
