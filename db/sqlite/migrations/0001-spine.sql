-- The first schema: revisions and declarations, who holds what and why, and the journal.
-- Addresses are BLOBs of 4 or 16 octets in network order; owners are BLOBs whose first octet is the kind (1 MAC, 2 client
-- identifier, 3 other hardware with its type in the second octet); times are integer milliseconds since 1970. The codes:
--   resource  1 ipv4, 2 ipv6, 3 pd
--   policy    1 dynamic, 2 fixed, 3 retained, 4 preserved, 5 operator
--   origin    1 undeclared, 2 declared, 3 operator, 4 cni, 5 imported
--   binding.kind  1 lease, 2 static        hold.kind  1 parked, 2 cooling, 3 quarantine

CREATE TABLE state (
  name  TEXT PRIMARY KEY,
  value ANY
) STRICT, WITHOUT ROWID;

CREATE TABLE revision (
  number INTEGER PRIMARY KEY,
  hash   TEXT    NOT NULL,
  at     INTEGER NOT NULL,
  author TEXT    NOT NULL
) STRICT;

-- The texts of a revision; position 0 is the main file.
CREATE TABLE revision_file (
  revision INTEGER NOT NULL REFERENCES revision (number),
  position INTEGER NOT NULL,
  path     TEXT    NOT NULL,
  text     TEXT    NOT NULL,
  PRIMARY KEY (revision, position)
) STRICT, WITHOUT ROWID;

-- Names of files that pins and declarations point into, each written once.
CREATE TABLE source_file (
  id   INTEGER PRIMARY KEY,
  path TEXT NOT NULL UNIQUE
) STRICT;

CREATE TABLE vrf (
  id   INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE
) STRICT;

CREATE TABLE network (
  id   INTEGER PRIMARY KEY,
  name TEXT    NOT NULL UNIQUE,
  vrf  INTEGER NOT NULL REFERENCES vrf (id)
) STRICT;

-- What the current revision declares; rows of earlier revisions are removed when a new one is made current.
CREATE TABLE declaration (
  id           INTEGER PRIMARY KEY,
  revision     INTEGER NOT NULL REFERENCES revision (number),
  machine      TEXT    NOT NULL,
  role         TEXT    NOT NULL,
  is_primary   INTEGER NOT NULL,
  network      TEXT,
  macs         BLOB    NOT NULL, -- six octets each; the first is the owner
  ipv4_policy  INTEGER NOT NULL,
  ipv4_address BLOB,
  ipv6_policy  INTEGER NOT NULL,
  ipv6_address BLOB,
  file         INTEGER NOT NULL REFERENCES source_file (id),
  line         INTEGER NOT NULL
) STRICT;
CREATE INDEX declaration_ipv4 ON declaration (ipv4_address) WHERE ipv4_address IS NOT NULL;
CREATE INDEX declaration_ipv6 ON declaration (ipv6_address) WHERE ipv6_address IS NOT NULL;

CREATE TABLE declared_mac (
  mac         BLOB    NOT NULL,
  revision    INTEGER NOT NULL,
  declaration INTEGER NOT NULL REFERENCES declaration (id),
  PRIMARY KEY (mac, revision)
) STRICT, WITHOUT ROWID;
CREATE INDEX declared_mac_declaration ON declared_mac (declaration);

CREATE TABLE interface (
  id      INTEGER PRIMARY KEY,
  owner   BLOB    NOT NULL,
  network INTEGER NOT NULL REFERENCES network (id),
  UNIQUE (owner, network)
) STRICT;

-- `seq` is the journal row that made it; file and line are those of the declaration that ruled, NULL for the undeclared.
CREATE TABLE pin (
  interface    INTEGER NOT NULL REFERENCES interface (id) ON DELETE CASCADE,
  resource     INTEGER NOT NULL,
  policy       INTEGER NOT NULL,
  origin       INTEGER NOT NULL,
  revision     INTEGER NOT NULL,
  file         INTEGER REFERENCES source_file (id),
  line         INTEGER,
  at           INTEGER NOT NULL,
  actor        TEXT    NOT NULL,
  event        TEXT    NOT NULL,
  seq          INTEGER NOT NULL,
  last_address BLOB, -- what the resource held last, where it holds nothing now
  last_end     INTEGER,
  PRIMARY KEY (interface, resource)
) STRICT, WITHOUT ROWID;

CREATE TABLE binding (
  interface    INTEGER NOT NULL,
  resource     INTEGER NOT NULL,
  vrf          INTEGER NOT NULL REFERENCES vrf (id),
  address      BLOB    NOT NULL,
  kind         INTEGER NOT NULL,
  end_at       INTEGER, -- of a lease
  client_until INTEGER, -- the end last promised to the client, for statics too
  mac          BLOB,    -- whom it was last confirmed to
  policy       INTEGER NOT NULL,
  origin       INTEGER NOT NULL,
  revision     INTEGER NOT NULL,
  file         INTEGER REFERENCES source_file (id),
  line         INTEGER,
  at           INTEGER NOT NULL,
  actor        TEXT    NOT NULL,
  seq          INTEGER NOT NULL,
  PRIMARY KEY (interface, resource),
  FOREIGN KEY (interface, resource) REFERENCES pin (interface, resource),
  CHECK ((kind = 1) = (end_at IS NOT NULL))
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX binding_address ON binding (vrf, address);

CREATE TABLE hold (
  vrf      INTEGER NOT NULL REFERENCES vrf (id),
  address  BLOB    NOT NULL,
  network  INTEGER NOT NULL REFERENCES network (id),
  kind     INTEGER NOT NULL,
  resource INTEGER NOT NULL,
  owner    BLOB    NOT NULL,
  retake   INTEGER NOT NULL,
  until    INTEGER,
  at       INTEGER NOT NULL,
  actor    TEXT    NOT NULL,
  seq      INTEGER NOT NULL,
  PRIMARY KEY (vrf, address)
) STRICT, WITHOUT ROWID;
CREATE INDEX hold_owner ON hold (owner, network);

-- Append-only: one row for each transition, with the state before and after it as JSON. Renewals are not written here.
CREATE TABLE journal (
  seq      INTEGER PRIMARY KEY,
  at       INTEGER NOT NULL,
  event    TEXT    NOT NULL,
  actor    TEXT    NOT NULL,
  revision INTEGER NOT NULL,
  network  INTEGER REFERENCES network (id),
  owner    BLOB,
  resource INTEGER,
  address  BLOB,
  before   TEXT,
  after    TEXT
) STRICT;
CREATE TRIGGER journal_keeps_its_rows BEFORE UPDATE ON journal
BEGIN
  SELECT RAISE(ABORT, 'the journal is append-only');
END;
CREATE TRIGGER journal_loses_no_row BEFORE DELETE ON journal
BEGIN
  SELECT RAISE(ABORT, 'the journal is append-only');
END;

-- For people in the sqlite3 shell.
CREATE TABLE code (
  kind TEXT    NOT NULL,
  code INTEGER NOT NULL,
  word TEXT    NOT NULL,
  PRIMARY KEY (kind, code)
) STRICT, WITHOUT ROWID;
INSERT INTO code (kind, code, word) VALUES
  ('resource', 1, 'ipv4'), ('resource', 2, 'ipv6'), ('resource', 3, 'pd'),
  ('policy', 1, 'dynamic'), ('policy', 2, 'fixed'), ('policy', 3, 'retained'), ('policy', 4, 'preserved'), ('policy', 5, 'operator'),
  ('origin', 1, 'undeclared'), ('origin', 2, 'declared'), ('origin', 3, 'operator'), ('origin', 4, 'cni'), ('origin', 5, 'imported'),
  ('binding', 1, 'lease'), ('binding', 2, 'static'),
  ('hold', 1, 'parked'), ('hold', 2, 'cooling'), ('hold', 3, 'quarantine');

-- The value of two hexadecimal digits, which SQLite has no function for.
CREATE TABLE octet (
  digits TEXT    PRIMARY KEY,
  value  INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO octet (digits, value)
WITH RECURSIVE counted (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM counted WHERE n < 255)
SELECT printf('%02X', n), n FROM counted;

CREATE VIEW leases AS
SELECT
  CASE length(b.address)
    WHEN 4 THEN
      (SELECT value FROM octet WHERE digits = substr(hex(b.address), 1, 2)) || '.' ||
      (SELECT value FROM octet WHERE digits = substr(hex(b.address), 3, 2)) || '.' ||
      (SELECT value FROM octet WHERE digits = substr(hex(b.address), 5, 2)) || '.' ||
      (SELECT value FROM octet WHERE digits = substr(hex(b.address), 7, 2))
    WHEN 16 THEN lower(substr(hex(b.address), 1, 4) || ':' || substr(hex(b.address), 5, 4) || ':' || substr(hex(b.address), 9, 4) || ':' || substr(hex(b.address), 13, 4) || ':' || substr(hex(b.address), 17, 4) || ':' || substr(hex(b.address), 21, 4) || ':' || substr(hex(b.address), 25, 4) || ':' || substr(hex(b.address), 29, 4))
  END AS address,
  (SELECT word FROM code WHERE kind = 'resource' AND code = b.resource) AS resource,
  CASE substr(i.owner, 1, 1)
    WHEN x'01' THEN lower(substr(hex(i.owner), 3, 2) || ':' || substr(hex(i.owner), 5, 2) || ':' || substr(hex(i.owner), 7, 2) || ':' || substr(hex(i.owner), 9, 2) || ':' || substr(hex(i.owner), 11, 2) || ':' || substr(hex(i.owner), 13, 2))
    WHEN x'02' THEN 'client-id:' || lower(hex(substr(i.owner, 2)))
    WHEN x'03' THEN 'hw:' || (SELECT value FROM octet WHERE digits = substr(hex(i.owner), 3, 2)) || ':' || lower(hex(substr(i.owner, 3)))
  END AS owner,
  n.name AS network,
  (SELECT word FROM code WHERE kind = 'binding' AND code = b.kind) AS kind,
  (SELECT word FROM code WHERE kind = 'policy' AND code = b.policy) AS policy,
  (SELECT word FROM code WHERE kind = 'origin' AND code = b.origin) AS origin,
  b.revision, f.path AS file, b.line,
  datetime(b.end_at / 1000, 'unixepoch') AS ends,
  datetime(b.client_until / 1000, 'unixepoch') AS client_until,
  datetime(b.at / 1000, 'unixepoch') AS since,
  b.actor, b.seq
FROM binding b
JOIN interface i ON i.id = b.interface
JOIN network n ON n.id = i.network
LEFT JOIN source_file f ON f.id = b.file
ORDER BY b.address;

CREATE VIEW pins AS
SELECT
  CASE substr(i.owner, 1, 1)
    WHEN x'01' THEN lower(substr(hex(i.owner), 3, 2) || ':' || substr(hex(i.owner), 5, 2) || ':' || substr(hex(i.owner), 7, 2) || ':' || substr(hex(i.owner), 9, 2) || ':' || substr(hex(i.owner), 11, 2) || ':' || substr(hex(i.owner), 13, 2))
    WHEN x'02' THEN 'client-id:' || lower(hex(substr(i.owner, 2)))
    WHEN x'03' THEN 'hw:' || (SELECT value FROM octet WHERE digits = substr(hex(i.owner), 3, 2)) || ':' || lower(hex(substr(i.owner, 3)))
  END AS owner,
  n.name AS network,
  (SELECT word FROM code WHERE kind = 'resource' AND code = p.resource) AS resource,
  (SELECT word FROM code WHERE kind = 'policy' AND code = p.policy) AS policy,
  (SELECT word FROM code WHERE kind = 'origin' AND code = p.origin) AS origin,
  p.revision, f.path AS file, p.line, datetime(p.at / 1000, 'unixepoch') AS at, p.actor, p.event, p.seq
FROM pin p
JOIN interface i ON i.id = p.interface
JOIN network n ON n.id = i.network
LEFT JOIN source_file f ON f.id = p.file;

CREATE VIEW history AS
SELECT j.seq, datetime(j.at / 1000, 'unixepoch') AS at, j.event, j.actor, j.revision, n.name AS network,
  CASE substr(j.owner, 1, 1)
    WHEN x'01' THEN lower(substr(hex(j.owner), 3, 2) || ':' || substr(hex(j.owner), 5, 2) || ':' || substr(hex(j.owner), 7, 2) || ':' || substr(hex(j.owner), 9, 2) || ':' || substr(hex(j.owner), 11, 2) || ':' || substr(hex(j.owner), 13, 2))
    WHEN x'02' THEN 'client-id:' || lower(hex(substr(j.owner, 2)))
    WHEN x'03' THEN 'hw:' || (SELECT value FROM octet WHERE digits = substr(hex(j.owner), 3, 2)) || ':' || lower(hex(substr(j.owner, 3)))
  END AS owner,
  (SELECT word FROM code WHERE kind = 'resource' AND code = j.resource) AS resource,
  CASE length(j.address)
    WHEN 4 THEN
      (SELECT value FROM octet WHERE digits = substr(hex(j.address), 1, 2)) || '.' ||
      (SELECT value FROM octet WHERE digits = substr(hex(j.address), 3, 2)) || '.' ||
      (SELECT value FROM octet WHERE digits = substr(hex(j.address), 5, 2)) || '.' ||
      (SELECT value FROM octet WHERE digits = substr(hex(j.address), 7, 2))
    WHEN 16 THEN lower(substr(hex(j.address), 1, 4) || ':' || substr(hex(j.address), 5, 4) || ':' || substr(hex(j.address), 9, 4) || ':' || substr(hex(j.address), 13, 4) || ':' || substr(hex(j.address), 17, 4) || ':' || substr(hex(j.address), 21, 4) || ':' || substr(hex(j.address), 25, 4) || ':' || substr(hex(j.address), 29, 4))
  END AS address,
  j.before, j.after
FROM journal j
LEFT JOIN network n ON n.id = j.network
ORDER BY j.seq;
