import { IsArray, IsInt, IsObject, IsOptional, IsString } from 'class-validator';
import type { Artifact, Message, Task, TaskArtifactUpdate, TaskStatus, TaskStatusUpdate } from '@cleveragents/protocol';

/** A2A 1.0 Task. */
export class TaskView {
  @IsString()
  id: string;

  @IsString()
  contextId: string;

  @IsObject()
  status: TaskStatus;

  @IsOptional()
  @IsArray()
  artifacts?: Artifact[];

  @IsOptional()
  @IsArray()
  history?: Message[];
}

/** A2A 1.0 SendMessageResponse: exactly one member. */
export class SendMessageView {
  @IsOptional()
  @IsObject()
  task?: Task;

  @IsOptional()
  @IsObject()
  message?: Message;
}

/** A2A 1.0 StreamResponse: exactly one member. */
export class StreamResponseView extends SendMessageView {
  @IsOptional()
  @IsObject()
  statusUpdate?: TaskStatusUpdate;

  @IsOptional()
  @IsObject()
  artifactUpdate?: TaskArtifactUpdate;
}

/** A2A 1.0 ListTasksResponse. */
export class ListTasksView {
  @IsArray()
  tasks: Task[];

  /** Empty on the last page. */
  @IsString()
  nextPageToken: string;

  @IsInt()
  pageSize: number;

  @IsInt()
  totalSize: number;
}
