import type { Artifact, TaskArtifactUpdate } from '@cleveragents/protocol';
import { storedPart } from './blob-part.js';

type Placement = 'new' | 'append' | 'replace';

/** How a stored piece of an artifact relates to the pieces before it, and whether it is announced as the last one. */
export type SegmentMode = Placement | `${Placement}-last`;

export interface ArtifactSegment {
  readonly mode: SegmentMode;
  /** Artifact as JSON text holding the parts of this piece only. */
  readonly body: string;
}

/** An append to an artifact whose last chunk was already announced: a fault of the agent, not of the caller. */
export class SealedArtifactError extends Error {
  constructor(artifactId: string) {
    super(`Artifact ${artifactId} was closed by its last chunk and cannot be appended to`);
    this.name = 'SealedArtifactError';
  }
}

interface Folded {
  head: string;
  /** Part texts that are stored already, then those that are not. */
  parts: string[];
  stored: number;
  isSealed: boolean;
  /** Where the next stored piece goes. */
  placement: Placement;
}

/**
 * The artifacts of a task as the fold of its artifact events (A2A 1.0 §4.2.2): a piece that does not append creates or
 * replaces, one that appends adds its parts or creates, the last chunk seals. Kept as JSON text: nothing is serialised
 * twice.
 */
export class ArtifactFold {
  private readonly artifacts = new Map<string, Folded>();
  /** Artifacts with something that `takeSegments` has not handed out, in the order of their first change. */
  private readonly unstored = new Map<string, Folded>();

  /** No further piece may be appended: the last one was announced. */
  isSealed(artifactId: string): boolean {
    return this.artifacts.get(artifactId)?.isSealed ?? false;
  }

  apply(artifact: Artifact, append: boolean, lastChunk: boolean): void {
    const { artifactId } = artifact;
    const known = this.artifacts.get(artifactId);
    const isStored = known !== undefined && known.placement !== 'new';
    const isAppended = known !== undefined && append;
    const folded = isAppended ? known : foldedOf(artifact, isStored ? 'replace' : 'new');
    if (isAppended) addParts(folded, artifact);
    folded.isSealed = lastChunk;
    this.artifacts.set(artifactId, folded);
    this.unstored.set(artifactId, folded);
  }

  /** Folds one artifact event of the log. */
  applyUpdate({ artifact, append = false, lastChunk = false }: TaskArtifactUpdate): void {
    this.apply(artifact, append, lastChunk);
  }

  /** Takes over pieces as they are stored, oldest first. */
  restore(segments: readonly ArtifactSegment[]): void {
    for (const { mode, body } of segments) {
      const artifact = JSON.parse(body) as Artifact;
      const known = this.artifacts.get(artifact.artifactId);
      const isAppended = known !== undefined && mode.startsWith('append');
      const folded = isAppended ? known : foldedOf(artifact, 'append');
      if (isAppended) addParts(folded, artifact);
      folded.isSealed = mode.endsWith('-last');
      folded.stored = folded.parts.length;
      this.artifacts.set(artifact.artifactId, folded);
    }
  }

  /** The pieces not stored yet, in order; they count as stored from now on. */
  takeSegments(): ArtifactSegment[] {
    const segments: ArtifactSegment[] = [];
    for (const folded of this.unstored.values()) {
      const mode: SegmentMode = folded.isSealed ? `${folded.placement}-last` : folded.placement;
      segments.push({ mode, body: bodyOf(folded.head, folded.parts.slice(folded.stored)) });
      folded.stored = folded.parts.length;
      folded.placement = 'append';
    }
    this.unstored.clear();
    return segments;
  }

  /** All artifacts, whole, as the members of a JSON array (without the brackets). */
  text(): string {
    return Array.from(this.artifacts.values(), ({ head, parts }) => bodyOf(head, parts)).join(',');
  }
}

function foldedOf(artifact: Artifact, placement: Placement): Folded {
  const parts = artifact.parts.map(storedPart);
  return { head: headOf(artifact), parts, stored: 0, isSealed: false, placement };
}

function addParts(folded: Folded, { parts }: Artifact): void {
  for (const part of parts) folded.parts.push(storedPart(part));
}

function headOf(artifact: Artifact): string {
  return JSON.stringify({ ...artifact, parts: undefined });
}

function bodyOf(head: string, parts: readonly string[]): string {
  return `${head.slice(0, -1)},"parts":[${parts.join(',')}]}`;
}

/** An artifact as JSON text, members in the order in which the fold writes them. */
export function artifactText(artifact: Artifact): string {
  return bodyOf(headOf(artifact), artifact.parts.map(storedPart));
}
