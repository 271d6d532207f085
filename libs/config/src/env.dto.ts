import { IsNotEmpty, IsOptional } from 'class-validator';
import {
  IsAddressListText,
  IsBaseUrlText,
  IsBlobUrlText,
  IsDurationText,
  IsOneOfTexts,
  IsOriginListText,
  IsPostgresUrlText,
  IsSizeText,
  IsSwitchText,
  IsWholeNumberText,
} from './env.rules.js';

/** The environment variables of the server, as text, with their defaults. An empty variable counts as not set. */
export class EnvDto {
  @IsOneOfTexts('production', 'development', 'test') NODE_ENV = 'development';
  @IsOneOfTexts('all', 'api', 'worker') ROLE = 'all';
  @IsOneOfTexts('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent') LOG_LEVEL = 'info';

  @IsNotEmpty() HOST = '127.0.0.1';
  @IsWholeNumberText(0, 65_535) PORT = '3000';
  @IsOptional() @IsBaseUrlText('http:', 'https:') PUBLIC_BASE_URL?: string;
  @IsOptional() @IsNotEmpty() TLS_CERT_FILE?: string;
  @IsOptional() @IsNotEmpty() TLS_KEY_FILE?: string;
  @IsOptional() @IsAddressListText() TRUSTED_PROXIES?: string;
  @IsOptional() @IsOriginListText() CORS_ORIGINS?: string;
  /** Which of the two equal ways into POST /a2a is open. */
  @IsOneOfTexts('front', 'express') DOOR = 'front';

  @IsNotEmpty() DATA_DIR = '.data';
  @IsOptional() @IsPostgresUrlText() DATABASE_URL?: string;
  @IsSwitchText() MIGRATE_ON_START = 'false';

  @IsDurationText() A2A_BLOCKING_LIMIT = '55s';
  @IsDurationText() A2A_WORKING_LIMIT = '30m';
  @IsSwitchText() A2A_MESSAGE_DEDUPE = 'on';
  @IsSizeText() A2A_BODY_LIMIT = '10MiB';
  @IsWholeNumberText(0, 1000) A2A_HISTORY_DEFAULT = '50';
  @IsOneOfTexts('a2a', 'reference') A2A_ERROR_CODES = 'a2a';
  @IsSwitchText() A2A_EXTENSION_REQUIRED = 'off';
  @IsSwitchText() ACP_NAMES = 'on';
  @IsOneOfTexts('off', 'required') AGENT_CARD_AUTH = 'off';
  @IsOptional() @IsNotEmpty() AGENT_CARD_KEY_FILE?: string;
  @IsSwitchText() A2A_TEST_AGENT = 'off';
  @IsSwitchText() A2A_ANONYMOUS = 'off';
  @IsSwitchText() PUSH_ALLOW_LOOPBACK = 'off';

  @IsOptional() @IsNotEmpty() ENCRYPTION_KEY_FILE?: string;

  @IsOptional() @IsBlobUrlText() BLOB_URL?: string;
  @IsOptional() @IsNotEmpty() AWS_ACCESS_KEY_ID?: string;
  @IsOptional() @IsNotEmpty() AWS_SECRET_ACCESS_KEY?: string;

  @IsDurationText() PLAN_ATTENTION_LIMIT = '7d';
  @IsOptional() @IsNotEmpty() WORKSPACE_ROOTS?: string;
  COMMAND_ALLOW = 'node,npm test,npm run,git,python3,make,pytest,go test,cargo test';

  @IsDurationText() LEASE_SECONDS = '15';
  @IsDurationText() HEARTBEAT_SECONDS = '3';
  @IsDurationText() SWEEP_SECONDS = '5';
  @IsDurationText() SHUTDOWN_GRACE_SECONDS = '20';
}
