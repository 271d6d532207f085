import {
  IsBoolean,
  IsIn,
  IsInt,
  IsISO8601,
  IsObject,
  IsOptional,
  IsString,
  Max,
  Min,
  MinLength,
} from 'class-validator';
import type { JsonObject } from '@cleveragents/kernel';
import { TASK_STATES, type TaskState } from '@cleveragents/protocol';

/** Names one task. */
export class TaskIdParams {
  @IsOptional()
  @IsString()
  tenant?: string;

  @IsString()
  @MinLength(1)
  id: string;

  @IsOptional()
  @IsObject()
  metadata?: JsonObject;
}

/** A2A 1.0 GetTaskRequest. */
export class GetTaskParams extends TaskIdParams {
  /** Newest messages in the answer: absent = the server's default, 0 = none. */
  @IsOptional()
  @IsInt()
  @Min(0)
  historyLength?: number;
}

/** A2A 1.0 CancelTaskRequest. */
export class CancelTaskParams extends TaskIdParams {}

/** A2A 1.0 SubscribeToTaskRequest; `metadata.afterSeq` is a replay cursor for clients that cannot set a header. */
export class SubscribeToTaskParams extends TaskIdParams {}

/** A2A 1.0 ListTasksRequest. */
export class ListTasksParams {
  /** Namespace whose tasks are listed; absent = the caller's own tasks. */
  @IsOptional()
  @IsString()
  tenant?: string;

  @IsOptional()
  @IsString()
  @MinLength(1)
  contextId?: string;

  @IsOptional()
  @IsIn(TASK_STATES)
  status?: TaskState;

  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(100)
  pageSize?: number;

  @IsOptional()
  @IsString()
  pageToken?: string;

  @IsOptional()
  @IsInt()
  @Min(0)
  historyLength?: number;

  /** RFC 3339; tasks whose status is at least as new. */
  @IsOptional()
  @IsISO8601({ strict: true })
  statusTimestampAfter?: string;

  @IsOptional()
  @IsBoolean()
  includeArtifacts?: boolean;

  @IsOptional()
  @IsObject()
  metadata?: JsonObject;
}
