import { relative, resolve, sep } from 'node:path';
import { wallBetween } from './walls.mjs';

/** What the linter asks of each file: `.oxlintrc.json` says of which. */
const root = resolve(import.meta.dirname, '../..');

const typeOnly = ({ importKind, exportKind, specifiers = [] }) =>
  importKind === 'type' ||
  exportKind === 'type' ||
  (specifiers.length > 0 && specifiers.every((one) => (one.importKind ?? one.exportKind) === 'type'));

const rooms = {
  create(context) {
    const file = relative(root, context.filename).split(sep).join('/');
    const look = (node) => {
      if (typeof node.source?.value !== 'string') return;
      const message = wallBetween(file, node.source.value, typeOnly(node));
      if (message !== undefined) context.report({ node, message });
    };
    return {
      ImportDeclaration: look,
      ExportNamedDeclaration: look,
      ExportAllDeclaration: look,
      ImportExpression: look,
    };
  },
};

const message = 'The time comes in through a port (ports.ts: System); see browser/system.ts.';
const noClock = {
  create: (context) => ({
    NewExpression(node) {
      if (node.callee.name === 'Date' && node.arguments.length === 0) context.report({ node, message });
    },
    CallExpression(node) {
      if (node.callee.name === 'Date') context.report({ node, message });
    },
  }),
};

export default { meta: { name: 'walls' }, rules: { rooms, 'no-clock': noClock } };
