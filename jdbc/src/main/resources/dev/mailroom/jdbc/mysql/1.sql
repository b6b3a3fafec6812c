-- Keys are bytes: they are compared as they are, trailing spaces included, which no collation that
-- MySQL and MariaDB share does. They hold UTF-8. Indexes are part of their table, because
-- creating one has no IF NOT EXISTS in MySQL.

-- Names of channels, as small numbers in every other table.

CREATE TABLE IF NOT EXISTS {channel} (
  id INTEGER NOT NULL AUTO_INCREMENT PRIMARY KEY,
  name VARBINARY(1024) NOT NULL UNIQUE
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

-- Places in every order: of messages, of their scan, of turns and of deaths.
-- A sequence on MariaDB. MySQL has none, and makes a table: its rows come and go; what counts is the
-- counter behind them, which is never set back.

CREATE {counter};

-- What can be claimed, and what is leased: nothing else. A lease changes no index. Nor does it make
-- a row longer, for which its page would have no room: a row without a token carries zeros.
-- There are no partial indexes, and every message pays for each: one serves groups by their
-- sequence and the ungrouped messages of a tenant by their position.

CREATE TABLE IF NOT EXISTS {message} (
  channel INTEGER NOT NULL,
  id BINARY(16) NOT NULL,
  position BIGINT NOT NULL,
  sequence BIGINT NOT NULL,
  tenant VARBINARY(1024) NOT NULL,
  grouped SMALLINT NOT NULL,
  group_key VARBINARY(1024) NOT NULL,
  deduplication_key VARBINARY(1024) NOT NULL,
  collapse_key VARBINARY(1024) NOT NULL,
  contract VARBINARY(1024) NOT NULL,
  contract_version INTEGER NOT NULL,
  content_type TEXT NOT NULL,
  payload {payload_type} NOT NULL,
  headers LONGTEXT,
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
  checkpoints LONGTEXT,
  token BINARY(16) NOT NULL DEFAULT X'00000000000000000000000000000000',
  lane VARBINARY(1024) GENERATED ALWAYS AS (IF(grouped = 1, group_key, '')) STORED,
  place BIGINT GENERATED ALWAYS AS (IF(grouped = 1, sequence, position)) STORED,
  PRIMARY KEY (channel, id),
  KEY {message_line} (channel, grouped, position),
  KEY {message_lane} (channel, grouped, tenant, lane, place),
  KEY {message_collapse} (channel, tenant, collapse_key)
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

-- What waits for its time, and what has crashed a worker, unless its group waits with it.

CREATE TABLE IF NOT EXISTS {delayed} (
  channel INTEGER NOT NULL,
  id BINARY(16) NOT NULL,
  position BIGINT NOT NULL,
  sequence BIGINT NOT NULL,
  tenant VARBINARY(1024) NOT NULL,
  grouped SMALLINT NOT NULL,
  group_key VARBINARY(1024) NOT NULL,
  deduplication_key VARBINARY(1024) NOT NULL,
  collapse_key VARBINARY(1024) NOT NULL,
  contract VARBINARY(1024) NOT NULL,
  contract_version INTEGER NOT NULL,
  content_type TEXT NOT NULL,
  payload {payload_type} NOT NULL,
  headers LONGTEXT,
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
  checkpoints LONGTEXT,
  placed SMALLINT NOT NULL,
  PRIMARY KEY (channel, id),
  KEY {delayed_due} (channel, crashes, visible_at, sequence),
  KEY {delayed_collapse} (channel, tenant, collapse_key)
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

-- Leases: who holds which messages until when.

CREATE TABLE IF NOT EXISTS {lease} (
  token BINARY(16) NOT NULL PRIMARY KEY,
  channel INTEGER NOT NULL,
  worker TEXT NOT NULL,
  ends_at BIGINT NOT NULL,
  held INTEGER NOT NULL,
  message_ids LONGBLOB NOT NULL,
  KEY {lease_end} (channel, ends_at)
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

-- Groups that may have something to claim; a group can stand here more than once.

CREATE TABLE IF NOT EXISTS {turn} (
  position BIGINT NOT NULL PRIMARY KEY,
  channel INTEGER NOT NULL,
  suspect SMALLINT NOT NULL,
  tenant VARBINARY(1024) NOT NULL,
  group_key VARBINARY(1024) NOT NULL,
  KEY {turn_line} (channel, suspect, position),
  KEY {turn_tenant} (channel, suspect, tenant, position)
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

-- Groups whose head waits, by its time.

CREATE TABLE IF NOT EXISTS {turn_later} (
  position BIGINT NOT NULL PRIMARY KEY,
  channel INTEGER NOT NULL,
  due_at BIGINT NOT NULL,
  tenant VARBINARY(1024) NOT NULL,
  group_key VARBINARY(1024) NOT NULL,
  KEY {turn_later_due} (channel, due_at),
  KEY {turn_later_group} (channel, tenant, group_key)
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

-- Groups that a lease holds, and how many of their messages.

CREATE TABLE IF NOT EXISTS {hold} (
  channel INTEGER NOT NULL,
  tenant VARBINARY(1024) NOT NULL,
  group_key VARBINARY(1024) NOT NULL,
  token BINARY(16) NOT NULL,
  held INTEGER NOT NULL,
  PRIMARY KEY (channel, tenant, group_key)
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

-- Dead letters; a group waits for those that park it.

CREATE TABLE IF NOT EXISTS {dead} (
  channel INTEGER NOT NULL,
  id BINARY(16) NOT NULL,
  position BIGINT NOT NULL,
  sequence BIGINT NOT NULL,
  tenant VARBINARY(1024) NOT NULL,
  grouped SMALLINT NOT NULL,
  group_key VARBINARY(1024) NOT NULL,
  deduplication_key VARBINARY(1024) NOT NULL,
  collapse_key VARBINARY(1024) NOT NULL,
  contract VARBINARY(1024) NOT NULL,
  contract_version INTEGER NOT NULL,
  content_type TEXT NOT NULL,
  payload {payload_type} NOT NULL,
  headers LONGTEXT,
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
  checkpoints LONGTEXT,
  died_at BIGINT NOT NULL,
  number BIGINT NOT NULL,
  parks SMALLINT NOT NULL,
  PRIMARY KEY (channel, id),
  UNIQUE KEY {dead_number} (channel, number),
  KEY {dead_group} (channel, parks, tenant, group_key, sequence)
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

-- Completed messages that their channel keeps for a while.

CREATE TABLE IF NOT EXISTS {history} (
  channel INTEGER NOT NULL,
  id BINARY(16) NOT NULL,
  position BIGINT NOT NULL,
  sequence BIGINT NOT NULL,
  tenant VARBINARY(1024) NOT NULL,
  grouped SMALLINT NOT NULL,
  group_key VARBINARY(1024) NOT NULL,
  deduplication_key VARBINARY(1024) NOT NULL,
  collapse_key VARBINARY(1024) NOT NULL,
  contract VARBINARY(1024) NOT NULL,
  contract_version INTEGER NOT NULL,
  content_type TEXT NOT NULL,
  payload {payload_type} NOT NULL,
  headers LONGTEXT,
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
  checkpoints LONGTEXT,
  completed_at BIGINT NOT NULL,
  kept_until BIGINT NOT NULL,
  PRIMARY KEY (channel, id),
  KEY {history_end} (channel, kept_until)
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

-- Deduplication keys, and when to look whether they can go.

CREATE TABLE IF NOT EXISTS {deduplication} (
  channel INTEGER NOT NULL,
  tenant VARBINARY(1024) NOT NULL,
  deduplication_key VARBINARY(1024) NOT NULL,
  message_id BINARY(16) NOT NULL,
  fingerprint VARBINARY(64) NOT NULL,
  accepted_at BIGINT NOT NULL,
  expires_at BIGINT,
  purge_at BIGINT,
  PRIMARY KEY (channel, tenant, deduplication_key),
  KEY {deduplication_purge} (channel, purge_at)
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

-- States of processes and their like.

CREATE TABLE IF NOT EXISTS {state} (
  state_type VARBINARY(1024) NOT NULL,
  state_key VARBINARY(1024) NOT NULL,
  version BIGINT NOT NULL,
  contract VARBINARY(1024) NOT NULL,
  contract_version INTEGER NOT NULL,
  content_type TEXT NOT NULL,
  payload LONGBLOB NOT NULL,
  PRIMARY KEY (state_type, state_key)
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;
