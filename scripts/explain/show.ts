// A story as text for people and as JSON for programs.
import type { JournalRow, Listed } from '../../db/store.js';
import type { Declaration, Declared, Hold, Pin, Provenance, Source } from '../../lib/ipam/model.js';
import { prefixIn } from '../../lib/ipam/site.js';
import type { Owner } from '../../lib/net/ids.js';
import { formatIp } from '../../lib/net/ip.js';
import { assertNever } from '../../lib/net/reason.js';
import { escapeText } from '../../server/events/log.js';
import { columns, time } from '../text.js';
import type { Story } from './story.js';

type Field = readonly [key: string, text: string];

/** The answer to `leasehold explain`, without a newline at its end. */
export function storyAsText(story: Story): string {
  const { alias, resources, holds } = story;
  const aliases =
    alias === undefined || story.declaration === undefined
      ? []
      : [`${alias} is an alias of ${whoText(story.declaration.owner, story.declaration)}.`];
  const blocks = resources.length > 0 ? resources.map((row) => resourceText(row, story)) : [nobodyText(story)];
  const shown = story.subject.kind === 'address' ? holds : holds.filter((hold) => isBeside(hold, resources));
  const others = holds
    .filter((hold) => !shown.includes(hold))
    .map((hold) => `${formatIp(hold.address)} is ${holdText(hold)}.`);
  return [...aliases, ...blocks, ...others, ...historyText(story)].join('\n\n');
}

function isBeside({ address }: Hold, resources: readonly Listed[]): boolean {
  return resources.some(({ binding }) => binding?.address === address);
}

function resourceText(row: Listed, story: Story): string {
  const { pin, binding, owner, network, resource, declaration } = row;
  const who = whoText(owner, declaration);
  const head =
    binding === undefined
      ? `${who} holds no ${resource} address in network ${network}.`
      : `${formatIp(binding.address)} is held by ${who} in network ${network}.`;
  const fields: Field[] = [['binding', bindingText(row, story.now)]];
  for (const hold of story.holds) if (hold.address === binding?.address) fields.push(['kept back', holdText(hold)]);
  if (pin !== undefined) {
    fields.push(['pinned', pinText(pin)], ['ruled by', ruleText(pin)], ['file now', fileText(pin, row, story)]);
  }
  const wanted = wantedText(row, story);
  if (wanted !== undefined) fields.push(['wanted', wanted]);
  if (binding === undefined)
    fields.push(['next', 'an ordinary dynamic allocation; the last address again if it is free']);
  return block(head, fields);
}

function bindingText({ binding, pin }: Listed, now: number): string {
  if (binding === undefined) {
    return pin?.lastAddress === undefined
      ? 'none'
      : `none; the last was ${formatIp(pin.lastAddress)}, until ${time(pin.lastEnd ?? 0)}`;
  }
  const since = `${binding.kind} since ${time(binding.at)}`;
  if (binding.end !== undefined) return `${since}, ${binding.end <= now ? 'ended' : 'ends'} ${time(binding.end)}`;
  const { clientUntil } = binding;
  const client =
    clientUntil === undefined || clientUntil <= now
      ? 'no client has it now'
      : `its client has it until ${time(clientUntil)}`;
  return `${since}; ${client}`;
}

function pinText({ policy, actor, at }: Pin): string {
  const by =
    actor === 'client'
      ? "at its client's request"
      : actor === 'reconcile'
        ? 'by reconcile before any client asked'
        : `by ${actor}`;
  return `${policy}, ${by}, ${time(at)}`;
}

function ruleText({ revision, source, origin }: Pin): string {
  if (source !== undefined) return `revision ${revision}, ${sourceText(source)}`;
  return origin === 'undeclared'
    ? `revision ${revision}, which did not declare it`
    : `revision ${revision} (${origin})`;
}

/** What the current revision says, and why it does or does not rule. */
function fileText(pin: Pin, row: Listed, { revision, networks }: Story): string {
  const { declaration, resource, binding } = row;
  if (declaration === undefined) {
    if (pin.origin !== 'undeclared')
      return `revision ${revision} does not declare it any more; what it holds stays, for removing a line takes nothing away`;
    return pin.revision === revision ? `still revision ${revision}` : `revision ${revision} does not declare it either`;
  }
  const declared = resource === 'ipv4' ? declaration.ipv4 : declaration.ipv6;
  const says = `revision ${revision}, ${sourceText(declaration.source)}, says ${declaredText(declared)}`;
  const network = networks.find(({ name }) => name === row.network);
  const reaches =
    (declaration.network === undefined || declaration.network === row.network) &&
    (declared.policy !== 'fixed' || (network !== undefined && prefixIn(network, declared.address) !== undefined));
  if (pin.origin === 'undeclared' && !reaches)
    return `${says}, which does not reach network ${row.network}: there it counts as undeclared`;
  const same =
    pin.origin !== 'undeclared' &&
    declared.policy === pin.policy &&
    (declared.policy !== 'fixed' || declared.address === binding?.address);
  if (same) return `${says}: the same`;
  return (
    `${says}, which does not apply: this ${resource} was pinned as ${pin.policy} under revision ${pin.revision}.\n` +
    `An edit never changes what is pinned, not even when the lease ends. The file decides again only\n` +
    `when the interface is deleted or reset; this version has no command for that.`
  );
}

/** Who else is declared to have the address that `row` holds. */
function wantedText({ owner }: Listed, { subject, declaration, revision }: Story): string | undefined {
  if (subject.kind !== 'address' || declaration === undefined || declaration.owner === owner) return undefined;
  const says = `revision ${revision}, ${sourceText(declaration.source)}, says ${declaredText(declaration.ipv4)}`;
  return `by ${whoText(declaration.owner, declaration)}: ${says}, and it gets that when it is free`;
}

function nobodyText(story: Story): string {
  const { subject, declaration, revision, place, holds } = story;
  if (subject.kind === 'owner') return emptyOwnerText(story, subject.owner);
  const fields: Field[] = holds.map((hold) => ['kept back', holdText(hold)]);
  const by = declaration && `${whoText(declaration.owner, declaration)} (${sourceText(declaration.source)})`;
  const says =
    by === undefined
      ? placeText(place, revision, holds.length > 0)
      : `revision ${revision} has it as the fixed address of ${by}: it is given to nobody else`;
  return block(`${formatIp(subject.address)} is held by nobody.`, [...fields, ['file now', says]]);
}

function emptyOwnerText({ declaration, revision, inTheWay, journal, holds }: Story, owner: Owner): string {
  const who = whoText(owner, declaration);
  if (declaration === undefined) {
    const says = `revision ${revision} does not declare it`;
    if (journal.length + holds.length === 0) return `${owner} is unknown: ${says}, and the store has nothing of it.`;
    return block(`${who} holds no address.`, [['file now', says]]);
  }
  const { ipv4, ipv6, source } = declaration;
  const fields: Field[] = [
    ['pinned', 'nothing: its first exchange follows the file as it then is'],
    [
      'file now',
      `revision ${revision}, ${sourceText(source)}, says ipv4 ${declaredText(ipv4)}, ipv6 ${declaredText(ipv6)}`,
    ],
  ];
  if (inTheWay !== undefined && ipv4.policy === 'fixed')
    fields.push([
      'blocked',
      `${formatIp(ipv4.address)} is held by ${inTheWay}, who keeps it until it ends or is given back`,
    ]);
  return block(`${who} holds no address.`, fields);
}

function placeText(place: Story['place'], revision: number, isHeld: boolean): string {
  if (place === undefined) return 'there is no revision yet';
  switch (place.kind) {
    case 'outside':
      return `revision ${revision} has no network that contains it`;
    case 'gateway':
      return `revision ${revision} has it as a gateway of network ${place.network}: it is given to nobody`;
    case 'never':
      return `revision ${revision} keeps it back in network ${place.network}: the server, a relay, a reserved, network or broadcast address`;
    case 'pool':
      return `revision ${revision} has it in a pool of network ${place.network}${isHeld ? '' : ': it is free, or on offer to somebody'}`;
    case 'no-pool':
      return `revision ${revision} has it in network ${place.network}, but in no pool: it can only be declared`;
    default:
      return assertNever(place);
  }
}

function holdText({ kind, owner, until }: Hold): string {
  const end = until === undefined ? '' : ` until ${time(until)}`;
  switch (kind) {
    case 'parked':
      return `parked for ${owner}${end}`;
    case 'cooling':
      return `cooling${end}: ${owner} held it, and its client may still use it`;
    case 'quarantine':
      return `in quarantine${end}: its holder ${owner} found somebody else using it`;
    default:
      return assertNever(kind);
  }
}

function historyText({ journal, subject }: Story): readonly string[] {
  if (journal.length === 0) return [];
  const rows = journal.map(({ seq, at, event, actor, revision, owner, address, after }) => {
    const whom = (subject.kind === 'address' ? owner : address) ?? '-';
    return [`  #${seq}`, time(at), event, whom, afterText(after), `by ${actor}, revision ${revision}`];
  });
  return [['history', ...columns(rows)].join('\n')];
}

interface After {
  readonly kind?: string;
  readonly policy?: string;
  readonly until?: number | null;
}

function afterText(after: string | null): string {
  if (after === null) return 'none';
  const { kind, policy, until } = JSON.parse(after) as After;
  if (until !== undefined) return until === null ? 'until taken back' : `until ${time(until)}`;
  return kind === undefined ? 'none' : [kind, policy].filter((word) => word !== undefined).join(', ');
}

/** `node1/host (02:00:00:00:00:01)`, or the owner alone where no declaration names it. */
function whoText(owner: Owner, declaration: Declaration | undefined): string {
  return declaration === undefined
    ? `${owner} (undeclared)`
    : `${escapeText(`${declaration.machine}/${declaration.role}`)} (${owner})`;
}

function declaredText(declared: Declared): string {
  return declared.policy === 'fixed' ? `fixed ${formatIp(declared.address)}` : declared.policy;
}

function sourceText({ file, line }: Source): string {
  return `${escapeText(file)}:${line}`;
}

function block(head: string, fields: readonly Field[]): string {
  const width = Math.max('file now'.length, ...fields.map(([key]) => key.length)) + 2;
  const lines = fields.map(
    ([key, text]) => `  ${key.padEnd(width)}${text.replaceAll('\n', `\n  ${' '.repeat(width)}`)}`,
  );
  return [head, '', ...lines].join('\n');
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
      pin: row.pin && {
        ...provenance(row.pin),
        last_address: row.pin.lastAddress === undefined ? null : formatIp(row.pin.lastAddress),
        last_end: timeOrNull(row.pin.lastEnd),
      },
      declared: row.declaration && declarationAsJson(row.declaration),
      explanation: row.pin && fileText(row.pin, row, story),
    })),
    holds: story.holds.map((hold) => ({
      address: formatIp(hold.address),
      kind: hold.kind,
      owner: hold.owner,
      network: hold.network,
      until: timeOrNull(hold.until),
    })),
    declared: declaration && declarationAsJson(declaration),
    held_by: story.inTheWay,
    place: place && { kind: place.kind, network: 'network' in place ? place.network : null },
    journal: story.journal.map(journalAsJson),
  };
}

function journalAsJson(row: JournalRow): Record<string, unknown> {
  return { ...row, at: time(row.at), before: stateAsJson(row.before), after: stateAsJson(row.after) };
}

const times: ReadonlySet<string> = new Set(['end', 'client_until', 'until']);

function stateAsJson(text: string | null): unknown {
  const revive = (key: string, value: unknown): unknown =>
    times.has(key) && typeof value === 'number' ? time(value) : value;
  return text === null ? null : JSON.parse(text, revive);
}

function provenance({ policy, origin, revision, source, at, actor, seq }: Provenance): Record<string, unknown> {
  return { policy, origin, revision, file: source?.file ?? null, line: source?.line ?? null, at: time(at), actor, seq };
}

function declarationAsJson({ machine, role, ipv4, ipv6, source }: Declaration): Record<string, unknown> {
  return { machine, role, ipv4: declaredAsJson(ipv4), ipv6: declaredAsJson(ipv6), ...source };
}

function declaredAsJson(declared: Declared): Record<string, unknown> {
  return { policy: declared.policy, address: declared.policy === 'fixed' ? formatIp(declared.address) : null };
}

function timeOrNull(at: number | undefined): string | null {
  return at === undefined ? null : time(at);
}
