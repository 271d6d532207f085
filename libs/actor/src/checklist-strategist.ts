import type { PlannedStep, Strategy } from './strategist.js';

const BULLET = /^\s*(?:[-*+]|\d+[.)])\s+(?<text>.+)$/;

/**
 * The built-in strategist, for actors that name neither strategies nor steps: every bullet of the definition of done
 * becomes one thing to do. A text without bullets is one of them.
 */
export function checklistStrategy(definitionOfDone: string): Strategy {
  const id = 'definition-of-done';
  const title = 'Do what the definition of done lists';
  return {
    id,
    title,
    confidence: 1,
    rationale: 'One decision for each point of the definition of done',
    options: [{ id, title, isChosen: true }],
    steps: bulletsOf(definitionOfDone).map(asPlannedStep),
  };
}

function bulletsOf(text: string): string[] {
  const bullets = text.split(/\r?\n/).flatMap((line) => BULLET.exec(line)?.groups?.['text']?.trim() ?? []);
  return bullets.length > 0 ? bullets : [text.trim()];
}

function asPlannedStep(description: string, index: number): PlannedStep {
  return { id: `point-${index + 1}`, description, tool: null, confidence: 1 };
}
