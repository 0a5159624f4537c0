// The way into every npm script: refuses a Node that is too old, then hands over. Written so that an old Node can read it.
'use strict';

var least = [20, 19];
var have = process.versions.node.split('.');
var major = Number(have[0]);
var minor = Number(have[1]);

if (major < least[0] || (major === least[0] && minor < least[1])) {
  console.error('Leasehold needs Node ' + least.join('.') + ' or newer; this is Node ' + process.versions.node + '.');
  process.exit(1);
}
// Read only now: what follows is written for the Node that was asked for.
require('./launch.cjs').launch(process.argv[2], process.argv.slice(3));
