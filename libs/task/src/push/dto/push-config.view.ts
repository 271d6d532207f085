import { IsArray, IsObject, IsOptional, IsString } from 'class-validator';
import type { PushDelivery, PushNotificationConfig } from '@cleveragents/protocol';

/** A2A 1.0 TaskPushNotificationConfig. Secrets are shown as there, never in clear. */
export class PushConfigView {
  @IsString()
  taskId: string;

  @IsString()
  id: string;

  @IsString()
  url: string;

  @IsOptional()
  @IsString()
  token?: string;

  @IsOptional()
  @IsObject()
  authentication?: PushNotificationConfig['authentication'];

  /** Present when something is wrong. */
  @IsOptional()
  @IsObject()
  delivery?: PushDelivery;
}

/** A2A 1.0 ListTaskPushNotificationConfigsResponse. */
export class ListPushConfigsView {
  @IsArray()
  configs: PushConfigView[];

  /** Empty on the last page. */
  @IsString()
  nextPageToken: string;
}

/** Deleting answers nothing. */
export class NothingView {}
