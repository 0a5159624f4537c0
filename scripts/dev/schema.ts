// Writes dhcpd.schema.json, by which editors know the keys of a configuration, into the folder at hand.
import { writeFileSync } from 'node:fs';
import { jsonSchemaText } from '../../lib/config/schema.js';

writeFileSync('dhcpd.schema.json', jsonSchemaText());
