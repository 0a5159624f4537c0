// Names that are public already and that this version does not act on: each is said once, so that nobody relies on it unawares.
// See docs/decisions/0001-names-of-later-versions-warn.md.
import type { Ip } from '../net/ip.js';
import { familyOf } from '../net/ip.js';
import type { Draft, Written } from './draft.js';
import { rawAt } from './draft.js';
import { ip6ValuesAt } from './options.js';
import type { Notebook, Place } from './place.js';
import { under } from './place.js';

/** What a name would do, and the places that use it. */
interface Kind {
  readonly what: string;
  readonly places: readonly Place[];
}

/** Warns once for each kind of name that `draft` uses and this version does not act on. */
export function warnOfLater(draft: Draft, notes: Notebook): void {
  for (const { what, places } of kindsIn(draft)) {
    const [first, ...others] = places;
    if (first === undefined) continue;
    const more = others.length === 0 ? '' : ` (the first of ${places.length} such places)`;
    notes.warn(first, `this version does not act on this yet: ${what}${more}`, 'key');
  }
}

function kindsIn(draft: Draft): readonly Kind[] {
  const { main, networks } = draft;
  const written = (...path: string[]): readonly Place[] => {
    const place = under(main, ...path);
    return rawAt(place) === undefined ? [] : [place];
  };
  const six = (items: readonly Written<Ip>[]): readonly Place[] =>
    items.filter(({ value }) => familyOf(value) === 'ipv6').map(({ place }) => place);
  const firsts = (items: readonly Written<{ readonly first: Ip }>[]): readonly Place[] =>
    six(items.map(({ value, place }) => ({ value: value.first, place })));
  const interfaces = draft.machines.flatMap((machine) => machine.interfaces);
  return [
    { what: 'no DHCPv6 is served, so no DUID is needed', places: written('server', 'duid') },
    { what: 'there is no admin socket', places: written('server', 'socket') },
    {
      what: 'the file is read at start, and again only at the next start',
      places: rawAt(under(main, 'watch')) === true ? written('watch') : [],
    },
    { what: 'no IPv6 prefix is served', places: networks.flatMap(({ prefixes }) => firsts(prefixes)) },
    { what: 'no IPv6 address is given from pools', places: networks.flatMap(({ pools }) => firsts(pools)) },
    {
      what: 'IPv6 hosts learn their router from its advertisements, and DHCPv6 is not served',
      places: networks.flatMap(({ gateways }) => six(gateways)),
    },
    { what: 'no IPv6 address is given, reserved or not', places: networks.flatMap(({ reserved }) => firsts(reserved)) },
    { what: 'no DHCPv6 relay is answered', places: networks.flatMap(({ relays }) => firsts(relays ?? [])) },
    {
      what: 'no prefix is delegated',
      places: networks.flatMap(({ delegate }) => (delegate === undefined ? [] : [delegate.place])),
    },
    {
      what: 'no IPv6 address is given to machines',
      places: interfaces.flatMap(({ ipv6 }) => (ipv6 === undefined ? [] : [ipv6.place])),
    },
    {
      what: 'IPv6 addresses in options reach DHCPv6 clients only, which are not served',
      places: optionPlaces(draft).flatMap(ip6ValuesAt),
    },
  ];
}

/** The places of all options of the file. */
function optionPlaces(draft: Draft): readonly Place[] {
  const holders = [draft, ...draft.networks, ...draft.machines].map(({ options }) => options);
  return holders.flatMap((holder) => {
    const raw = rawAt(holder);
    if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) return [];
    return Object.keys(raw).map((name) => under(holder, name));
  });
}
