// A story as text for people and as JSON for programs.
import type { JournalRow, Listed } from '../../db/store.js';
import type { Declaration, Declared, Hold, Pin, Provenance, Source } from '../../lib/ipam/model.js';
import { formatIp } from '../../lib/net/ip.js';
import { assertNever } from '../../lib/net/reason.js';
import { escapeText } from '../../server/events/log.js';
import { time } from '../text.js';
import type { Story } from './story.js';

/** The answer to `leasehold explain`, without a newline at its end. */
export function storyAsText(story: Story): string {
  const blocks =
    story.resources.length > 0 ? story.resources.map((row) => resourceText(row, story)) : [nobodyText(story)];
  const holds = story.holds.map((hold) => holdText(hold));
  return [...blocks, ...holds, ...journalText(story.journal)].join('\n\n');
}

function resourceText(row: Listed, story: Story): string {
  const { pin, binding, owner, network, declaration } = row;
  const who = `${owner} (${nameOf(declaration)})`;
  const head =
    binding === undefined
      ? `${who} holds no ${row.resource} address in network ${network}.`
      : `${formatIp(binding.address)} is held by ${who} in network ${network}.`;
  const lines: [string, string][] = [['binding', bindingText(row, story.now)]];
  if (pin !== undefined) {
    lines.push(['pinned', `${pin.policy}, ${made(pin)}`]);
    lines.push(['file', fileText(pin, row, story.revision)]);
  }
  return [head, '', ...lines.map(([key, text]) => field(key, text))].join('\n');
}

function bindingText({ binding, pin }: Listed, now: number): string {
  if (binding === undefined) {
    const last =
      pin?.lastAddress === undefined
        ? ''
        : `; the last was ${formatIp(pin.lastAddress)}, until ${time(pin.lastEnd ?? 0)}`;
    return `none${last}. The next exchange is an ordinary dynamic allocation.`;
  }
  const since = `${binding.kind} since ${time(binding.at)}`;
  if (binding.end !== undefined) return `${since}, ${binding.end <= now ? 'ended' : 'ends'} ${time(binding.end)}`;
  const client =
    binding.clientUntil === undefined
      ? 'no client has it now'
      : `promised to its client until ${time(binding.clientUntil)}`;
  return `${since}, without an end; ${client}`;
}

function made({ at, actor, revision, source, origin }: Provenance): string {
  const by = actor === 'client' ? 'at a client’s request' : `by ${actor}`;
  const line = source === undefined ? `, where no line declares it (${origin})` : `, ${sourceText(source)}`;
  return `${by} on ${time(at)}, under revision ${revision}${line}`;
}

/** What the current revision says, and why it does or does not rule. */
function fileText(pin: Pin, { declaration, resource, binding }: Listed, revision: number): string {
  if (declaration === undefined) {
    return pin.origin === 'undeclared'
      ? `revision ${revision} does not declare it`
      : `revision ${revision} does not declare it any more. What it holds stays: removing a line takes nothing away.`;
  }
  const declared = resource === 'ipv4' ? declaration.ipv4 : declaration.ipv6;
  const says = `revision ${revision}, ${sourceText(declaration.source)}, says ${declaredText(declared)}`;
  const same =
    pin.origin !== 'undeclared' &&
    declared.policy === pin.policy &&
    (declared.policy !== 'fixed' || declared.address === binding?.address);
  if (same) return `${says}: the same`;
  return (
    `${says}, which does not apply: this ${resource} was pinned as ${pin.policy} under revision ${pin.revision}, ` +
    `and an edit never changes what is pinned, even when the address is given back.\n` +
    `Only when the interface is deleted or reset does the file decide again; this version has no command for that.`
  );
}

function nobodyText({ subject, declaration, revision, place, holds }: Story): string {
  if (subject.kind === 'owner') {
    const head = `${subject.owner} (${nameOf(declaration)}) holds no address.`;
    if (declaration === undefined) return `${head}\n\n${field('file', `revision ${revision} does not declare it`)}`;
    const says = `ipv4 ${declaredText(declaration.ipv4)}`;
    return [
      head,
      '',
      field('pinned', 'nothing: its first exchange follows the file as it then is'),
      field('file', `revision ${revision}, ${sourceText(declaration.source)}, says ${says}`),
    ].join('\n');
  }
  const address = formatIp(subject.address);
  const head = `${address} is held by nobody.`;
  const lines: string[] = [];
  if (declaration !== undefined) {
    const by = `${nameOf(declaration)} (${sourceText(declaration.source)})`;
    lines.push(
      field('file', `revision ${revision} names it as the fixed address of ${by}, so nobody else is given it`),
    );
  } else if (holds.length === 0) {
    lines.push(field('file', placeText(place, revision)));
  }
  return lines.length === 0 ? head : [head, '', ...lines].join('\n');
}

function placeText(place: Story['place'], revision: number): string {
  if (place === undefined) return 'there is no revision yet';
  switch (place.kind) {
    case 'outside':
      return `revision ${revision} has no network that contains it`;
    case 'never':
      return `revision ${revision} keeps it back in network ${place.network}: a gateway, the server, a relay, a reserved, network or broadcast address`;
    case 'pool':
      return `revision ${revision} has it in a pool of network ${place.network}: it is free, or on offer to somebody`;
    case 'no-pool':
      return `revision ${revision} has it in network ${place.network}, but in no pool: it can only be declared`;
    default:
      return assertNever(place);
  }
}

const kept = {
  parked: 'is parked for',
  cooling: 'is cooling: its client may still use it. It was held by',
  quarantine: 'is in quarantine: it was found in use when it was held by',
} as const;

function holdText({ address, kind, owner, network, until }: Hold): string {
  const end = until === undefined ? '' : `, until ${time(until)}`;
  return `${formatIp(address)} ${kept[kind]} ${owner} in network ${network}${end}.`;
}

function journalText(rows: readonly JournalRow[]): readonly string[] {
  if (rows.length === 0) return [];
  const lines = rows.map(({ seq, at, event, actor, revision, owner, address, after }) => {
    const what = [address, owner].filter((part) => part !== null).join(' ');
    return `  #${seq}  ${time(at)}  ${event}: ${what}${afterText(after)} (${actor}, revision ${revision})`;
  });
  return [['journal', ...lines].join('\n')];
}

function afterText(after: string | null): string {
  if (after === null) return '';
  const { kind, policy } = JSON.parse(after) as { kind?: string; policy?: string };
  return ` → ${[kind, policy].filter((word) => word !== undefined).join(', ')}`;
}

function nameOf(declaration: Declaration | undefined): string {
  return declaration === undefined ? 'undeclared' : escapeText(`${declaration.machine}, ${declaration.role}`);
}

function declaredText(declared: Declared): string {
  return declared.policy === 'fixed' ? `fixed ${formatIp(declared.address)}` : declared.policy;
}

function sourceText({ file, line }: Source): string {
  return `${escapeText(file)}:${line}`;
}

function field(key: string, text: string): string {
  const [first = '', ...more] = text.split('\n');
  return [`  ${key.padEnd(9)}${first}`, ...more.map((line) => `${' '.repeat(11)}${line}`)].join('\n');
}

/** The same facts for programs; keys are snake_case, times RFC 3339. */
export function storyAsJson(story: Story): Readonly<Record<string, unknown>> {
  const { subject, declaration, place } = story;
  return {
    ...(subject.kind === 'address' ? { address: formatIp(subject.address) } : { owner: subject.owner }),
    revision: story.revision,
    resources: story.resources.map((row) => ({
      resource: row.resource,
      network: row.network,
      owner: row.owner,
      binding: row.binding && {
        address: formatIp(row.binding.address),
        kind: row.binding.kind,
        ends: timeOrNull(row.binding.end),
        client_until: timeOrNull(row.binding.clientUntil),
        ...provenance(row.binding),
      },
      pin: row.pin && { ...provenance(row.pin), last_address: row.pin.lastAddress && formatIp(row.pin.lastAddress) },
      declared: row.declaration && declarationAsJson(row.declaration),
      explanation: row.pin && fileText(row.pin, row, story.revision),
    })),
    holds: story.holds.map((hold) => ({
      address: formatIp(hold.address),
      kind: hold.kind,
      owner: hold.owner,
      network: hold.network,
      until: timeOrNull(hold.until),
    })),
    declared: declaration && declarationAsJson(declaration),
    place: place && { kind: place.kind, network: 'network' in place ? place.network : null },
    journal: story.journal.map((row) => ({
      ...row,
      at: time(row.at),
      before: row.before === null ? null : (JSON.parse(row.before) as unknown),
      after: row.after === null ? null : (JSON.parse(row.after) as unknown),
    })),
  };
}

function provenance({ policy, origin, revision, source, at, actor, seq }: Provenance): Record<string, unknown> {
  return { policy, origin, revision, file: source?.file ?? null, line: source?.line ?? null, at: time(at), actor, seq };
}

function declarationAsJson({ machine, role, ipv4, source }: Declaration): Record<string, unknown> {
  const address = ipv4.policy === 'fixed' ? formatIp(ipv4.address) : null;
  return { machine, role, ipv4: { policy: ipv4.policy, address }, ...source };
}

function timeOrNull(at: number | undefined): string | null {
  return at === undefined ? null : time(at);
}
