import { PlanError } from '@cleveragents/kernel';
import { describe, expect, it } from 'vitest';
import { render, renderMembers, renderTemplateText } from './template.js';

const SCOPE = {
  args: { note: 'hello', count: 3, list: ['a', 1], nothing: null },
  steps: { 'first-step': { output: { path: 'out.txt' } } },
};

describe('render', () => {
  it('puts looked-up values into texts at every depth', () => {
    const template = {
      path: '{{steps.first-step.output.path}}',
      lines: ['{{args.note}}, {{ args.count }}!', 7, true, null],
    };
    expect(render(template, SCOPE)).toEqual({ path: 'out.txt', lines: ['hello, 3!', 7, true, null] });
  });

  it('keeps the type of a value that is the whole text', () => {
    expect(render('{{args.count}}', SCOPE)).toBe(3);
    expect(render('{{args.list}}', SCOPE)).toEqual(['a', 1]);
    expect(render('{{args.nothing}}', SCOPE)).toBeNull();
    expect(render(' {{args.list}}', SCOPE)).toBe(' ["a",1]');
  });

  it.each([
    '{{args.absent}}',
    '{{args.note.length}}',
    '{{args.count + 1}}',
    '{{constructor}}',
    '{{__proto__}}',
    '{{}}',
  ])('fails for %s, which leads nowhere, instead of evaluating it', (template) => {
    expect(() => render(template, SCOPE)).toThrow(PlanError);
  });

  it('does not look into what it has put in', () => {
    expect(render('{{args.x}}', { args: { x: '{{args.y}}', y: 'secret' } })).toBe('{{args.y}}');
  });

  it('leaves single braces alone', () => {
    expect(renderMembers({ code: '{ a: {b} }', gone: undefined }, SCOPE)).toEqual({ code: '{ a: {b} }', gone: null });
  });
});

describe('renderTemplateText', () => {
  it('always makes a text', () => {
    expect(renderTemplateText('{{args.count}}', SCOPE)).toBe('3');
  });
});
