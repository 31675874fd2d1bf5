import { Graphviz } from '@hpcc-js/wasm-graphviz';

/** Colours a drawing may name; each becomes a variable, so that the picture follows the reader's light or dark. */
export const inks = {
  ink: '#010101',
  quiet: '#020202',
  paper: '#030303',
  good: '#040404',
  bad: '#050505',
  box: '#060606',
};

const look = `
:root { --ink: #1d2530; --quiet: #5d6875; --paper: #ffffff; --box: #eef2f7; --good: #0b7a5c; --bad: #b3370f; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e4e8ee; --quiet: #a3adba; --paper: #14181d; --box: #232a33; --good: #4fd1a5; --bad: #ff9a6b; }
}`;

/** What all drawings have in common, in the words of DOT. */
const manners = `
  bgcolor="${inks.paper}" pad=0.25 nodesep=0.45 ranksep=0.5
  node [shape=box style="rounded,filled" fillcolor="${inks.box}" color="${inks.quiet}" fontcolor="${inks.ink}"
        fontname="Helvetica" fontsize=13 margin="0.26,0.11"]
  edge [color="${inks.quiet}" fontcolor="${inks.quiet}" fontname="Helvetica" fontsize=12 arrowsize=0.7]`;

/**
 * Draws a graph. The same text gives the same picture on every machine: Graphviz brings its own measure of letters.
 *
 * @param graph the inside of a DOT graph, see https://graphviz.org/doc/info/lang.html
 * @param title what the picture shows, for people who cannot see it
 */
export async function drawn(graph: string, title: string): Promise<string> {
  const graphviz = await Graphviz.load();
  const svg = graphviz.dot(`digraph { ${manners}\n${graph} }`);
  const coloured = Object.entries(inks).reduce((text, [name, code]) => text.replaceAll(code, `var(--${name})`), svg);
  return coloured
    .replace(/^[\s\S]*?<svg /, '<svg ')
    .replace(/<!--[\s\S]*?-->\n?/g, '')
    .replace(/<title>[\s\S]*?<\/title>\n?/g, '')
    .replace(/(<svg [^>]*>)/, `$1\n<title>${title}</title>\n<style>${look}\n</style>`)
    .replaceAll('font-family="Helvetica,sans-Serif"', 'font-family="Helvetica, Arial, sans-serif"');
}
