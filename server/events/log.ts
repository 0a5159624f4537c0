// Events as lines on standard error: for people, or as JSON. Strings from clients are escaped.
import winston from 'winston';
import type { Facts, Sink } from './events.js';

export type LogFormat = 'text' | 'json';

/** Control characters and everything outside ASCII as escapes, so that a client cannot write lines of its own. */
export function escapeText(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, (character) => {
    const code = character.charCodeAt(0);
    return code < 256 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u${code.toString(16).padStart(4, '0')}`;
  });
}

function valueText(value: unknown): string {
  if (Array.isArray(value)) return value.map(valueText).join(',');
  const text = escapeText(String(value));
  return /[\s"=]/.test(text) || text === '' ? JSON.stringify(text).replaceAll('\\\\', '\\') : text;
}

const asText = winston.format.printf(({ level, at, event, ...facts }) => {
  const { message: _, sentence, ...rest } = facts;
  const pairs = Object.entries(rest).map(([key, value]) => `${key}=${valueText(value)}`);
  const said = typeof sentence === 'string' ? ` (${escapeText(sentence)})` : '';
  return `${String(at)} ${level} ${[String(event), ...pairs].join(' ')}${said}`;
});

const asJson = winston.format.printf(({ level, at, event, message: _, ...facts }) =>
  JSON.stringify({ at, level, event, ...facts }),
);

/** A sink on standard error. */
export function logTo(format: LogFormat, now: () => number): Sink {
  const logger = winston.createLogger({
    level: 'info',
    format: format === 'json' ? asJson : asText,
    transports: [new winston.transports.Console({ stderrLevels: ['error', 'warn', 'info'] })],
  });
  return {
    write(level, event, facts: Facts) {
      const said = Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined));
      logger.log({ level, message: '', at: new Date(now()).toISOString(), event, ...said });
    },
    close() {
      return new Promise((resolve) => {
        logger.on('finish', () => {
          resolve();
        });
        logger.end();
      });
    },
  };
}
