import type { JsonObject } from '@cleveragents/kernel';
import type { StreamResponse, Task, TaskArtifactUpdate } from '../a2a.js';
import type { StreamEncoder } from './dialect-codec.js';
import { eventIn01, type ArtifactPlace } from './encode-01.js';

/**
 * A stream in A2A 0.1. Artifacts have no id there but an index, their position in the task. The positions are known
 * because the first event of every stream is the Task itself, with the artifacts it has by then.
 */
export class StreamEncoder01 implements StreamEncoder {
  private readonly indexes = new Map<string, number>();

  constructor(private readonly wireTaskId?: string) {}

  encode(event: StreamResponse, closesStream: boolean): readonly JsonObject[] {
    const { task, artifactUpdate } = event;
    if (task !== undefined) return this.snapshot(task, closesStream);
    return [eventIn01(event, closesStream, this.wireTaskId, artifactUpdate && this.placeOf(artifactUpdate))];
  }

  /**
   * 0.1 streams hold updates only: the Task becomes its status, then its artifacts so far, whole. A reader may leave at
   * the final element, so that a status that ends the stream is said again after the artifacts.
   */
  private snapshot(task: Task, closesStream: boolean): readonly JsonObject[] {
    const status = eventIn01({ task }, closesStream, this.wireTaskId);
    const artifacts = this.artifactsOf(task);
    if (artifacts.length === 0 || status.final !== true) return [status, ...artifacts];
    return [{ ...status, final: false }, ...artifacts, status];
  }

  private artifactsOf({ id: taskId, contextId, artifacts = [] }: Task): JsonObject[] {
    this.indexes.clear();
    return artifacts.map((artifact) => {
      const artifactUpdate = { taskId, contextId, artifact };
      return eventIn01({ artifactUpdate }, false, this.wireTaskId, this.placeOf(artifactUpdate));
    });
  }

  /** A chunk for an artifact that does not exist yet begins it. */
  private placeOf({ artifact: { artifactId }, append, lastChunk }: TaskArtifactUpdate): ArtifactPlace {
    const known = this.indexes.get(artifactId);
    if (known !== undefined) return { index: known, append, lastChunk };
    const index = this.indexes.size;
    this.indexes.set(artifactId, index);
    return { index, append: append === true ? false : append, lastChunk };
  }
}
