import pc from 'picocolors';

export function heading(text) {
  console.log(`\n${pc.bold(pc.cyan(text))}`);
}

export function line(text) {
  console.log(`  ${text}`);
}

export function progress(state, detail = '') {
  console.log(`  ${pc.dim('●')} ${pc.yellow(state)} ${pc.dim(detail)}`);
}

/** The decision tree of a plan, drawn with branches. */
export function tree(node, indent = '', isLast = true, isRoot = true) {
  const confidence = node.confidence === undefined || node.confidence === null ? '' : pc.dim(` ${node.confidence}`);
  const branch = isRoot ? '' : isLast ? '└─ ' : '├─ ';
  console.log(`  ${indent}${branch}${pc.magenta(node.type)} ${node.description}${confidence}`);
  const below = isRoot ? '' : `${indent}${isLast ? '   ' : '│  '}`;
  for (const [index, child] of node.children.entries()) tree(child, below, index === node.children.length - 1, false);
}

/** A unified diff in the usual colours. */
export function diff(patch) {
  for (const text of patch.trimEnd().split('\n')) {
    if (/^(diff|index|---|\+\+\+|new file)/.test(text)) line(pc.bold(text));
    else if (text.startsWith('@@')) line(pc.cyan(text));
    else if (text.startsWith('+')) line(pc.green(text));
    else if (text.startsWith('-')) line(pc.red(text));
    else line(text);
  }
}
