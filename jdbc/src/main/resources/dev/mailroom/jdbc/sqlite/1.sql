-- Names of channels, as small numbers in every other table.

CREATE TABLE IF NOT EXISTS {channel} (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL UNIQUE
);

-- Places in every order: of messages, of their scan, of turns and of deaths.

CREATE TABLE IF NOT EXISTS {number} (
  id INTEGER PRIMARY KEY,
  latest BIGINT NOT NULL
);

INSERT OR IGNORE INTO {number} (id, latest) VALUES (1, 0);

-- What can be claimed, and what is leased: nothing else. A lease changes no index.

CREATE TABLE IF NOT EXISTS {message} (
  channel INTEGER NOT NULL,
  id TEXT NOT NULL,
  position BIGINT NOT NULL,
  sequence BIGINT NOT NULL,
  tenant TEXT NOT NULL,
  grouped SMALLINT NOT NULL,
  group_key TEXT NOT NULL,
  deduplication_key TEXT NOT NULL,
  collapse_key TEXT NOT NULL,
  contract TEXT NOT NULL,
  contract_version INTEGER NOT NULL,
  content_type TEXT NOT NULL,
  payload {payload_type} NOT NULL,
  headers TEXT,
  correlation_id TEXT,
  causation_id TEXT,
  trace_parent TEXT,
  trace_state TEXT,
  created_at BIGINT NOT NULL,
  received_at BIGINT NOT NULL,
  visible_at BIGINT NOT NULL,
  expires_at BIGINT,
  attempts INTEGER NOT NULL,
  crashes INTEGER NOT NULL,
  deferrals INTEGER NOT NULL,
  parked_since BIGINT,
  error_type TEXT,
  error_message TEXT,
  error_detail TEXT,
  checkpoints TEXT,
  token TEXT,
  PRIMARY KEY (channel, id)
);

CREATE INDEX IF NOT EXISTS {message_line}
  ON {message} (channel, position) WHERE grouped = 0;

CREATE INDEX IF NOT EXISTS {message_tenant}
  ON {message} (channel, tenant, position) WHERE grouped = 0 AND tenant <> '';

CREATE INDEX IF NOT EXISTS {message_group}
  ON {message} (channel, tenant, group_key, sequence) WHERE grouped = 1;

CREATE INDEX IF NOT EXISTS {message_collapse}
  ON {message} (channel, tenant, collapse_key) WHERE collapse_key <> '';

-- What waits for its time, and what has crashed a worker, unless its group waits with it.

CREATE TABLE IF NOT EXISTS {delayed} (
  channel INTEGER NOT NULL,
  id TEXT NOT NULL,
  position BIGINT NOT NULL,
  sequence BIGINT NOT NULL,
  tenant TEXT NOT NULL,
  grouped SMALLINT NOT NULL,
  group_key TEXT NOT NULL,
  deduplication_key TEXT NOT NULL,
  collapse_key TEXT NOT NULL,
  contract TEXT NOT NULL,
  contract_version INTEGER NOT NULL,
  content_type TEXT NOT NULL,
  payload {payload_type} NOT NULL,
  headers TEXT,
  correlation_id TEXT,
  causation_id TEXT,
  trace_parent TEXT,
  trace_state TEXT,
  created_at BIGINT NOT NULL,
  received_at BIGINT NOT NULL,
  visible_at BIGINT NOT NULL,
  expires_at BIGINT,
  attempts INTEGER NOT NULL,
  crashes INTEGER NOT NULL,
  deferrals INTEGER NOT NULL,
  parked_since BIGINT,
  error_type TEXT,
  error_message TEXT,
  error_detail TEXT,
  checkpoints TEXT,
  placed SMALLINT NOT NULL,
  PRIMARY KEY (channel, id)
);

CREATE INDEX IF NOT EXISTS {delayed_due}
  ON {delayed} (channel, visible_at, sequence) WHERE crashes = 0;

CREATE INDEX IF NOT EXISTS {delayed_suspect}
  ON {delayed} (channel, visible_at, sequence) WHERE crashes > 0;

CREATE INDEX IF NOT EXISTS {delayed_collapse}
  ON {delayed} (channel, tenant, collapse_key) WHERE collapse_key <> '';

-- Leases: who holds which messages until when.

CREATE TABLE IF NOT EXISTS {lease} (
  token TEXT NOT NULL PRIMARY KEY,
  channel INTEGER NOT NULL,
  worker TEXT NOT NULL,
  ends_at BIGINT NOT NULL,
  held INTEGER NOT NULL,
  message_ids BLOB NOT NULL
);

CREATE INDEX IF NOT EXISTS {lease_end} ON {lease} (channel, ends_at);

-- Groups that may have something to claim; a group can stand here more than once.

CREATE TABLE IF NOT EXISTS {turn} (
  position BIGINT NOT NULL PRIMARY KEY,
  channel INTEGER NOT NULL,
  suspect SMALLINT NOT NULL,
  tenant TEXT NOT NULL,
  group_key TEXT NOT NULL
);

CREATE INDEX IF NOT EXISTS {turn_line} ON {turn} (channel, position) WHERE suspect = 0;

CREATE INDEX IF NOT EXISTS {turn_tenant}
  ON {turn} (channel, tenant, position) WHERE suspect = 0 AND tenant <> '';

CREATE INDEX IF NOT EXISTS {turn_suspect} ON {turn} (channel, position) WHERE suspect = 1;

-- Groups whose head waits, by its time.

CREATE TABLE IF NOT EXISTS {turn_later} (
  position BIGINT NOT NULL PRIMARY KEY,
  channel INTEGER NOT NULL,
  due_at BIGINT NOT NULL,
  tenant TEXT NOT NULL,
  group_key TEXT NOT NULL
);

CREATE INDEX IF NOT EXISTS {turn_later_due} ON {turn_later} (channel, due_at);

CREATE INDEX IF NOT EXISTS {turn_later_group}
  ON {turn_later} (channel, tenant, group_key);

-- Groups that a lease holds, and how many of their messages.

CREATE TABLE IF NOT EXISTS {hold} (
  channel INTEGER NOT NULL,
  tenant TEXT NOT NULL,
  group_key TEXT NOT NULL,
  token TEXT NOT NULL,
  held INTEGER NOT NULL,
  PRIMARY KEY (channel, tenant, group_key)
);

-- Dead letters; a group waits for those that park it.

CREATE TABLE IF NOT EXISTS {dead} (
  channel INTEGER NOT NULL,
  id TEXT NOT NULL,
  position BIGINT NOT NULL,
  sequence BIGINT NOT NULL,
  tenant TEXT NOT NULL,
  grouped SMALLINT NOT NULL,
  group_key TEXT NOT NULL,
  deduplication_key TEXT NOT NULL,
  collapse_key TEXT NOT NULL,
  contract TEXT NOT NULL,
  contract_version INTEGER NOT NULL,
  content_type TEXT NOT NULL,
  payload {payload_type} NOT NULL,
  headers TEXT,
  correlation_id TEXT,
  causation_id TEXT,
  trace_parent TEXT,
  trace_state TEXT,
  created_at BIGINT NOT NULL,
  received_at BIGINT NOT NULL,
  visible_at BIGINT NOT NULL,
  expires_at BIGINT,
  attempts INTEGER NOT NULL,
  crashes INTEGER NOT NULL,
  deferrals INTEGER NOT NULL,
  parked_since BIGINT,
  error_type TEXT,
  error_message TEXT,
  error_detail TEXT,
  checkpoints TEXT,
  died_at BIGINT NOT NULL,
  number BIGINT NOT NULL,
  parks SMALLINT NOT NULL,
  PRIMARY KEY (channel, id)
);

CREATE UNIQUE INDEX IF NOT EXISTS {dead_number} ON {dead} (channel, number);

CREATE INDEX IF NOT EXISTS {dead_group}
  ON {dead} (channel, tenant, group_key, sequence) WHERE parks = 1;

-- Completed messages that their channel keeps for a while.

CREATE TABLE IF NOT EXISTS {history} (
  channel INTEGER NOT NULL,
  id TEXT NOT NULL,
  position BIGINT NOT NULL,
  sequence BIGINT NOT NULL,
  tenant TEXT NOT NULL,
  grouped SMALLINT NOT NULL,
  group_key TEXT NOT NULL,
  deduplication_key TEXT NOT NULL,
  collapse_key TEXT NOT NULL,
  contract TEXT NOT NULL,
  contract_version INTEGER NOT NULL,
  content_type TEXT NOT NULL,
  payload {payload_type} NOT NULL,
  headers TEXT,
  correlation_id TEXT,
  causation_id TEXT,
  trace_parent TEXT,
  trace_state TEXT,
  created_at BIGINT NOT NULL,
  received_at BIGINT NOT NULL,
  visible_at BIGINT NOT NULL,
  expires_at BIGINT,
  attempts INTEGER NOT NULL,
  crashes INTEGER NOT NULL,
  deferrals INTEGER NOT NULL,
  parked_since BIGINT,
  error_type TEXT,
  error_message TEXT,
  error_detail TEXT,
  checkpoints TEXT,
  completed_at BIGINT NOT NULL,
  kept_until BIGINT NOT NULL,
  PRIMARY KEY (channel, id)
);

CREATE INDEX IF NOT EXISTS {history_end} ON {history} (channel, kept_until);

-- Deduplication keys, and when to look whether they can go.

CREATE TABLE IF NOT EXISTS {deduplication} (
  channel INTEGER NOT NULL,
  tenant TEXT NOT NULL,
  deduplication_key TEXT NOT NULL,
  message_id TEXT NOT NULL,
  fingerprint BLOB NOT NULL,
  accepted_at BIGINT NOT NULL,
  expires_at BIGINT,
  purge_at BIGINT,
  PRIMARY KEY (channel, tenant, deduplication_key)
);

CREATE INDEX IF NOT EXISTS {deduplication_purge} ON {deduplication} (channel, purge_at);

-- States of processes and their like.

CREATE TABLE IF NOT EXISTS {state} (
  state_type TEXT NOT NULL,
  state_key TEXT NOT NULL,
  version BIGINT NOT NULL,
  contract TEXT NOT NULL,
  contract_version INTEGER NOT NULL,
  content_type TEXT NOT NULL,
  payload BLOB NOT NULL,
  PRIMARY KEY (state_type, state_key)
);
