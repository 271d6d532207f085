import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { productionFiles, read } from './source-tree.js';

const METHOD_DECORATORS = new Set(['JsonRpcMethod', 'JsonRpcStream']);

function decoratorNames(node: ts.Node): string[] {
  const decorators = ts.canHaveDecorators(node) ? (ts.getDecorators(node) ?? []) : [];
  return decorators.map(({ expression }) =>
    (ts.isCallExpression(expression) ? expression.expression : expression).getText(),
  );
}

/** Classes, made by a factory function or not, whose methods nobody would ever discover. */
function undiscoverable(path: string): string[] {
  const source = ts.createSourceFile(path, read(path), ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isClassLike(node)) {
      const hasMethods = node.members.some((member) =>
        decoratorNames(member).some((name) => METHOD_DECORATORS.has(name)),
      );
      if (hasMethods && !decoratorNames(node).includes('JsonRpcHandler')) found.push(`${path}: ${node.name?.text}`);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

describe('JSON-RPC methods', () => {
  it('stand in classes that are marked as their home', () => {
    const candidates = productionFiles().filter((path) => /@JsonRpc(?:Method|Stream)\(/.test(read(path)));
    expect(candidates.flatMap(undiscoverable)).toEqual([]);
  });
});
