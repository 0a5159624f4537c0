// The JSON Schema that editors read says what the program takes.
import { expect } from 'chai';
import { readFileSync } from 'node:fs';
import { jsonSchemaText } from '../../../lib/config/schema.js';

const text = readFileSync('dhcpd.schema.json', 'utf8');

describe('dhcpd.schema.json', () => {
  it('is what the schema writes (node build/scripts/dev/schema.js)', () => {
    expect(text).to.equal(jsonSchemaText());
  });

  it('describes every key', () => {
    const bare: string[] = [];
    const walk = (schema: unknown, path: string): void => {
      if (typeof schema !== 'object' || schema === null) return;
      for (const [key, value] of Object.entries(schema)) {
        if (key === 'properties') {
          for (const [name, property] of Object.entries(value as Record<string, { description?: string }>)) {
            if (property.description === undefined) bare.push(`${path}.${name}`);
          }
        }
        walk(value, `${path}.${key}`);
      }
    };
    walk(JSON.parse(text), '');
    expect(bare).to.deep.equal([]);
  });

  it('is named in the first line of the example', () => {
    const [first] = readFileSync('dhcpd.example.yaml', 'utf8').split('\n');
    expect(first).to.equal('# yaml-language-server: $schema=./dhcpd.schema.json');
  });
});
