import { Type } from 'class-transformer';
import { IsInt, IsObject, IsOptional, IsString, Max, MaxLength, Min, MinLength, ValidateNested } from 'class-validator';

const MAX_ID = 128;
const MAX_URL = 2048;
const MAX_SECRET = 4096;

/** A2A 1.0 AuthenticationInfo. */
export class PushAuthenticationParams {
  /** Name of an HTTP authentication scheme, for example `Bearer`. */
  @IsString()
  @MaxLength(64)
  scheme: string;

  @IsOptional()
  @IsString()
  @MaxLength(MAX_SECRET)
  credentials?: string;
}

/** A2A 1.0 TaskPushNotificationConfig of a task that is not known yet; its texts are checked by `checkSettings`. */
export class PushSettingsParams {
  /** Names the configuration; without one it gets a new id. */
  @IsOptional()
  @IsString()
  @MinLength(1)
  @MaxLength(MAX_ID)
  id?: string;

  @IsString()
  @MaxLength(MAX_URL)
  url: string;

  /** Sent back in `X-A2A-Notification-Token`. */
  @IsOptional()
  @IsString()
  @MaxLength(MAX_SECRET)
  token?: string;

  @IsOptional()
  @IsObject()
  @ValidateNested()
  @Type(() => PushAuthenticationParams)
  authentication?: PushAuthenticationParams;
}

/** A2A 1.0 TaskPushNotificationConfig as the request that creates one. */
export class CreatePushConfigParams extends PushSettingsParams {
  @IsOptional()
  @IsString()
  tenant?: string;

  @IsString()
  @MinLength(1)
  taskId: string;
}

/** A2A 1.0 GetTaskPushNotificationConfigRequest, and the one that deletes. */
export class PushConfigKeyParams {
  @IsOptional()
  @IsString()
  tenant?: string;

  @IsString()
  @MinLength(1)
  taskId: string;

  @IsString()
  @MinLength(1)
  id: string;
}

/** A2A 1.0 ListTaskPushNotificationConfigsRequest. */
export class ListPushConfigsParams {
  @IsOptional()
  @IsString()
  tenant?: string;

  @IsString()
  @MinLength(1)
  taskId: string;

  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(100)
  pageSize?: number;

  @IsOptional()
  @IsString()
  pageToken?: string;
}
