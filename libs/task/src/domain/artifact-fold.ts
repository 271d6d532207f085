import type { Artifact, TaskArtifactUpdate } from '@cleveragents/protocol';

/** How a stored piece of an artifact relates to the pieces before it. */
export type SegmentMode = 'new' | 'append' | 'replace';

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
  sealed: boolean;
  /** Mode of the next stored piece. */
  mode: SegmentMode;
}

/**
 * The artifacts of a task as the fold of its artifact events (A2A 1.0 §4.2.2): a piece that does not append creates or
 * replaces, one that appends adds its parts or creates, the last chunk seals. Kept as JSON text: nothing is serialised
 * twice.
 */
export class ArtifactFold {
  private readonly artifacts = new Map<string, Folded>();

  /** True when pieces exist that `takeSegments` has not handed out. */
  hasUnstored = false;

  get isEmpty(): boolean {
    return this.artifacts.size === 0;
  }

  apply(artifact: Artifact, append: boolean, lastChunk: boolean): void {
    const known = this.artifacts.get(artifact.artifactId);
    const parts = artifact.parts.map((part) => JSON.stringify(part));
    if (known !== undefined && append) {
      if (known.sealed) throw new SealedArtifactError(artifact.artifactId);
      known.parts.push(...parts);
      known.sealed = lastChunk;
    } else {
      const isStored = known !== undefined && (known.stored > 0 || known.mode !== 'new');
      this.artifacts.set(artifact.artifactId, {
        head: headOf(artifact),
        parts,
        stored: 0,
        sealed: lastChunk,
        mode: isStored ? 'replace' : 'new',
      });
    }
    this.hasUnstored = true;
  }

  /** Takes over pieces as they are stored, oldest first. */
  restore(segments: readonly ArtifactSegment[]): void {
    for (const { mode, body } of segments) {
      const artifact = JSON.parse(body) as Artifact;
      const known = this.artifacts.get(artifact.artifactId);
      const parts = artifact.parts.map((part) => JSON.stringify(part));
      if (known !== undefined && mode === 'append') {
        known.parts.push(...parts);
        known.stored = known.parts.length;
      } else {
        const stored = parts.length;
        this.artifacts.set(artifact.artifactId, {
          head: headOf(artifact),
          parts,
          stored,
          sealed: false,
          mode: 'append',
        });
      }
    }
  }

  /** Folds one artifact event of the log. */
  applyUpdate(update: TaskArtifactUpdate): void {
    this.apply(update.artifact, update.append ?? false, update.lastChunk ?? false);
  }

  /** The pieces not stored yet, in order; they count as stored from now on. */
  takeSegments(): ArtifactSegment[] {
    if (!this.hasUnstored) return [];
    const segments: ArtifactSegment[] = [];
    for (const folded of this.artifacts.values()) {
      if (folded.mode === 'append' && folded.stored === folded.parts.length) continue;
      segments.push({ mode: folded.mode, body: bodyOf(folded.head, folded.parts.slice(folded.stored)) });
      folded.stored = folded.parts.length;
      folded.mode = 'append';
    }
    this.hasUnstored = false;
    return segments;
  }

  /** All artifacts, whole, as the members of a JSON array (without the brackets). */
  text(): string {
    return Array.from(this.artifacts.values(), ({ head, parts }) => bodyOf(head, parts)).join(',');
  }
}

function headOf(artifact: Artifact): string {
  return JSON.stringify({ ...artifact, parts: undefined });
}

function bodyOf(head: string, parts: readonly string[]): string {
  return `${head.slice(0, -1)},"parts":[${parts.join(',')}]}`;
}

/** An artifact as JSON text, members in the order in which the fold writes them. */
export function artifactText(artifact: Artifact): string {
  return bodyOf(
    headOf(artifact),
    artifact.parts.map((part) => JSON.stringify(part)),
  );
}
