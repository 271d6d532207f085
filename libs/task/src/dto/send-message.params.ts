import { Type } from 'class-transformer';
import {
  IsArray,
  IsBoolean,
  IsInt,
  IsObject,
  IsOptional,
  IsString,
  MaxLength,
  Min,
  ValidateNested,
} from 'class-validator';
import { JSONSchema } from 'class-validator-jsonschema';
import type { JsonObject } from '@cleveragents/kernel';
import type { Message } from '@cleveragents/protocol';
import { PushSettingsParams } from '../push/dto/push-config.params.js';

/** A2A 1.0 §3.2.2 SendMessageConfiguration. */
export class SendConfiguration {
  @IsOptional()
  @IsArray()
  @IsString({ each: true })
  acceptedOutputModes?: string[];

  /** Newest messages in the answer: absent = the server's default, 0 = none. */
  @IsOptional()
  @IsInt()
  @Min(0)
  historyLength?: number;

  /** Answer at once instead of waiting for the task to rest. */
  @IsOptional()
  @IsBoolean()
  returnImmediately?: boolean;

  /** A webhook of the task from its first event on. */
  @IsOptional()
  @IsObject()
  @ValidateNested()
  @Type(() => PushSettingsParams)
  taskPushNotificationConfig?: PushSettingsParams;
}

/** A2A 1.0 SendMessageRequest. `message` is checked in depth by `messageProblems`. */
export class SendMessageParams {
  /** Namespace of a new task. */
  @IsOptional()
  @IsString()
  tenant?: string;

  @IsObject()
  message: Message;

  /** Set by the codec of A2A 0.1 alone: the client's own id of the task. */
  @JSONSchema({ description: 'The id that a client of A2A 0.1 gives the task; no later generation sets it' })
  @IsOptional()
  @IsString()
  @MaxLength(512)
  clientTaskId?: string;

  @IsOptional()
  @ValidateNested()
  @Type(() => SendConfiguration)
  configuration?: SendConfiguration;

  @IsOptional()
  @IsObject()
  metadata?: JsonObject;
}
