import type { AnswerClass } from './answer-class';
import type { AttemptFacts, ClassifyOptions } from './classify';
import { urlParts } from './request-facts';
import { mediaType } from './problem';

interface Detour {
  readonly class: AnswerClass;
  readonly why: string;
}

/**
 * Whether an answer that looks like success comes from somewhere else: a captive portal, a sign-in page, or a place to
 * which a redirect led without the body.
 *
 * Browsers follow redirects out of sight: all that is left is that there was one and where it ended. Of the methods, 301
 * and 302 change only POST, and the others keep their body (Fetch, HTTP-redirect fetch). A 303 turns all of them into a GET:
 * after it the server has answered, mostly that it is done, but session frameworks send whoever is signed out to a page so.
 *
 * @returns null when the answer is the server's own
 */
export function detour(facts: AttemptFacts, options: ClassifyOptions): Detour | null {
  const html = ['text/html', 'application/xhtml+xml'].includes(mediaType(facts.contentType));
  const json = asksJson(facts, options);
  if (facts.type === 'opaqueredirect') {
    // A form post is answered by a redirect as a rule. Where data was asked for, nobody can see where it would have led.
    return json ? { class: 'redirected', why: 'the answer is a redirect that cannot be looked at' } : null;
  }
  if (html && json) return { class: 'captive', why: 'a web page came where data was asked for' };
  if (!facts.redirected || facts.url === '') return null;

  const [from, to] = [urlParts(facts.requestUrl), urlParts(facts.url)];
  if (!sameHost(from.origin, to.origin)) return options.redirects === 'accept' && !html ? null : ledAway(to.origin);
  if (options.redirects === 'accept' || /^(GET|HEAD)$/.test(facts.requestMethod)) return null;
  // Post/redirect/get: a page was asked for and the server shows the result as one, at another address.
  const page = html && to.path !== from.path;
  if (page ? asksPage(facts, options) : facts.requestMethod !== 'POST') return null;
  const what = page ? 'led to a page that nobody asked for' : 'may have turned it into a GET, without its body';
  return { class: 'redirected', why: `a redirect ${what}` };
}

/**
 * Whether a refusal or failure comes from somewhere else: a portal says 404 or 405 to whatever it does not know, and that is
 * no word of the server's.
 *
 * @returns null when the answer is the server's own
 */
export function refusedElsewhere(facts: AttemptFacts, options: ClassifyOptions): Detour | null {
  if (!facts.redirected || facts.url === '' || options.redirects === 'accept') return null;
  const [from, to] = [urlParts(facts.requestUrl), urlParts(facts.url)];
  return sameHost(from.origin, to.origin) ? null : ledAway(to.origin);
}

function ledAway(origin: string): Detour {
  return { class: 'captive', why: `a redirect led to another place (${origin})` };
}

function asksJson({ requestAccept }: AttemptFacts, { expects }: ClassifyOptions): boolean {
  if (expects !== 'accept') return expects === 'json';
  const accept = (requestAccept ?? '').toLowerCase();
  return /\bjson\b/.test(accept) && !accept.includes('html') && !accept.includes('*/*');
}

/** Forms ask for pages, and so does who names them; the `*` that scripts send by themselves asks for nothing. */
function asksPage({ requestAccept, requestType = null }: AttemptFacts, { expects }: ClassifyOptions): boolean {
  if (expects !== 'accept') return expects === 'any';
  const form = /^(multipart\/form-data|application\/x-www-form-urlencoded)/i.test(requestType ?? '');
  return form || /html/i.test(requestAccept ?? '');
}

/** The same host and port, or the same host by TLS: upgrading is no other place. */
function sameHost(from: string, to: string): boolean {
  return from === to || (from.startsWith('http:') && from.replace('http:', 'https:') === to);
}
