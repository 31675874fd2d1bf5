import { describe, expect, it } from 'vitest';
import { type AttemptFacts, classify, type ClassifyOptions, defaultClassify } from './classify';

const base: AttemptFacts = {
  kind: 'answer',
  status: 200,
  type: 'basic',
  url: 'https://app.example/api/orders',
  redirected: false,
  requestMethod: 'POST',
  requestUrl: 'https://app.example/api/orders',
  requestAccept: 'application/json',
  contentType: 'application/json',
  outcomeBefore: 'never-sent',
  connectivity: 'online',
};
const judge = (change: Partial<AttemptFacts>, options: Partial<ClassifyOptions> = {}) =>
  classify({ ...base, ...change }, { ...defaultClassify, ...options });

describe('a captive portal or sign-in page', () => {
  it.each(['text/html', 'Text/HTML; charset=utf-8', 'application/xhtml+xml'])(
    'is not success though it answers 200 with %s where data was asked for',
    (contentType) => {
      expect(judge({ contentType })).toMatchObject({
        class: 'captive',
        final: 'retry',
        counted: false,
        unknown: true,
        why: 'a web page came where data was asked for',
      });
    },
  );

  it('is not success when a redirect leads to it', () => {
    const login = { redirected: true, url: 'https://app.example/login', contentType: 'text/html' };
    expect(judge(login).class).toBe('captive');
    const portal = { redirected: true, url: 'https://portal.example/', contentType: 'text/html' };
    expect(judge(portal).class).toBe('captive');
    // Whatever the request accepts, another place is another place.
    const verdict = judge({ ...portal, requestAccept: 'text/html' });
    expect(verdict.class).toBe('captive');
    expect(verdict.why).toBe('a redirect led to another place (https://portal.example)');
    expect(judge({ ...portal, contentType: 'application/json' }).class).toBe('captive');
  });

  it.each([401, 404, 405, 409, 422, 500, 503])(
    'is no refusal of the server: it says %i from another place',
    (status) => {
      const portal = { status, redirected: true, url: 'https://portal.example/api/orders' };
      expect(judge(portal)).toMatchObject({
        class: 'captive',
        final: 'retry',
        counted: false,
        why: 'a redirect led to another place (https://portal.example)',
      });
      expect(judge(portal, { redirects: 'accept' }).class).not.toBe('captive');
      expect(judge({ ...portal, url: 'https://app.example/v2/orders' }).class).not.toBe('captive');
    },
  );

  it.each([
    ['application/json', 'accept', 'captive'],
    ['application/vnd.api+json', 'accept', 'captive'],
    ['APPLICATION/JSON', 'accept', 'captive'],
    ['application/json, text/html', 'accept', 'delivered'],
    ['application/json, */*', 'accept', 'delivered'],
    ['*/*', 'accept', 'delivered'],
    ['text/plain', 'accept', 'delivered'],
    [null, 'accept', 'delivered'],
    ['*/*', 'json', 'captive'],
    [null, 'json', 'captive'],
    ['application/json', 'any', 'delivered'],
  ] as const)(
    'is suspected of HTML when the request accepts %s and the route expects %s: %s',
    (requestAccept, expects, kind) => {
      expect(judge({ requestAccept, contentType: 'text/html' }, { expects }).class).toBe(kind);
    },
  );

  it('is not suspected of other media types, or of no content', () => {
    expect(judge({ contentType: 'text/plain' }).class).toBe('delivered');
    expect(judge({ status: 204, contentType: null }).class).toBe('delivered');
  });

  it('is not suspected of an error page: its status says enough', () => {
    expect(judge({ status: 500, contentType: 'text/html' }).class).toBe('server');
    expect(judge({ status: 404, contentType: 'text/html' }).class).toBe('rejected');
  });
});

describe('a redirect of a POST within its origin', () => {
  const moved = { redirected: true, url: 'https://app.example/api/orders/' };

  it('may have dropped the body, so it is dead and said so', () => {
    expect(judge(moved)).toMatchObject({ class: 'redirected', final: 'refuse', reason: 'rejected' });
    expect(judge(moved).why).toContain('without its body');
    // Upgrading to TLS is the same place, and the same trap.
    const upgraded = { redirected: true, url: base.requestUrl, requestUrl: 'http://app.example/api/orders' };
    expect(judge(upgraded).class).toBe('redirected');
  });

  it('is the server’s answer by option', () => {
    expect(judge(moved, { redirects: 'accept' }).class).toBe('delivered');
  });

  it('is the server’s answer to a form: the page of the result at another address', () => {
    const form = {
      requestAccept: 'text/html,application/xhtml+xml,*/*;q=0.8',
      contentType: 'text/html',
      redirected: true,
    };
    expect(judge({ ...form, url: 'https://app.example/orders/77' }).class).toBe('delivered');
    // The same address again is no result.
    expect(judge({ ...form, url: 'https://app.example/api/orders?again' }).class).toBe('redirected');
    expect(judge({ ...form, url: 'https://app.example/orders/77', contentType: 'application/json' }).class).toBe(
      'redirected',
    );
  });

  it('is the server’s answer to a form that a script sent without a word on what it accepts', () => {
    const script = { requestAccept: '*/*', contentType: 'text/html', redirected: true };
    for (const requestType of ['application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'])
      expect(judge({ ...script, requestType, url: 'https://app.example/orders/77' }).class).toBe('delivered');
  });

  it('to a web page is none where data was sent and no page asked for, as when a session has ended', () => {
    const login = { contentType: 'text/html', redirected: true, url: 'https://app.example/login' };
    for (const requestAccept of ['*/*', 'application/json, text/plain, */*', null])
      expect(judge({ ...login, requestAccept, requestType: 'application/json' })).toMatchObject({
        class: 'redirected',
        final: 'refuse',
        reason: 'rejected',
      });
    expect(judge({ ...login, requestAccept: '*/*' }, { redirects: 'accept' }).class).toBe('delivered');
    expect(judge({ ...login, requestAccept: '*/*' }, { expects: 'any' }).class).toBe('delivered');
  });

  it('is told from a redirect elsewhere even when redirects are accepted', () => {
    const elsewhere = { redirected: true, url: 'https://other.example/x' };
    expect(judge({ ...elsewhere, contentType: 'text/html', requestAccept: null }, { redirects: 'accept' }).class).toBe(
      'captive',
    );
    expect(judge(elsewhere, { redirects: 'accept' }).class).toBe('delivered');
    expect(judge({ ...moved, contentType: 'text/html' }, { redirects: 'accept' }).class).toBe('captive');
  });

  it('cannot be told where the answer has no address', () => {
    expect(judge({ redirected: true, url: '' }).class).toBe('delivered');
  });
});

describe('a redirect of another method', () => {
  it.each(['PUT', 'PATCH', 'DELETE'])('keeps %s and its body within the host', (requestMethod) => {
    expect(judge({ requestMethod, redirected: true, url: 'https://app.example/v2/orders' }).class).toBe('delivered');
    expect(
      judge({ requestMethod, redirected: true, url: base.url, requestUrl: 'http://app.example/api/orders' }).class,
    ).toBe('delivered');
  });

  it.each(['PUT', 'PATCH', 'DELETE'])('keeps what %s did when the server says 303 and shows the result', (method) => {
    const shown = { requestMethod: method, redirected: true, url: 'https://app.example/api/orders/77' };
    expect(judge(shown).class).toBe('delivered');
    expect(judge({ ...shown, requestAccept: 'text/html', contentType: 'text/html' }).class).toBe('delivered');
  });

  it.each(['PUT', 'PATCH', 'DELETE'])('is no delivery of %s when it ends at a page that nobody asked for', (method) => {
    const login = {
      requestMethod: method,
      redirected: true,
      url: 'https://app.example/login',
      contentType: 'text/html',
    };
    expect(judge({ ...login, requestAccept: '*/*' })).toMatchObject({ class: 'redirected', final: 'refuse' });
    expect(judge({ ...login, requestAccept: '*/*' }, { redirects: 'accept' }).class).toBe('delivered');
    // The same address by TLS, from a server that calls all it says HTML.
    const upgraded = { ...login, requestAccept: '*/*', url: base.url, requestUrl: 'http://app.example/api/orders' };
    expect(judge(upgraded).class).toBe('delivered');
  });

  it.each(['GET', 'HEAD'])('is where %s was to end, whatever is there', (requestMethod) => {
    const page = { requestMethod, requestAccept: '*/*', contentType: 'text/html', redirected: true };
    expect(judge({ ...page, url: 'https://app.example/elsewhere' }).class).toBe('delivered');
  });

  it('to TLS and another host at once is another place', () => {
    const facts = { requestMethod: 'PUT', redirected: true, requestUrl: 'http://app.example/x' };
    expect(judge({ ...facts, url: 'https://other.example/x' }).class).toBe('captive');
    expect(judge({ ...facts, requestUrl: 'ws+http://app.example/x', url: 'ws+https://app.example/x' }).class).toBe(
      'captive',
    );
  });

  it.each(['https://other.example/x', 'http://app.example/x', 'https://app.example:8443/x'])(
    'to %s is another place',
    (url) => {
      expect(judge({ requestMethod: 'PUT', redirected: true, url }).class).toBe('captive');
    },
  );
});

describe('a redirect that was not followed', () => {
  const unseen = { status: 0, type: 'opaqueredirect', url: '', contentType: null };

  it('is how a form post succeeds', () => {
    const verdict = judge({ ...unseen, requestAccept: 'text/html,*/*;q=0.8' });
    expect(verdict).toMatchObject({ class: 'delivered', final: 'deliver', why: 'the server answered with a redirect' });
  });

  it('where data was asked for leads nobody knows where', () => {
    expect(judge(unseen)).toMatchObject({ class: 'redirected', final: 'refuse' });
    expect(judge(unseen).why).toContain('cannot be looked at');
  });
});
