/** New values for fields that a body has; fields it does not have stay away. */
export type Fields = Readonly<Record<string, string>>;

/**
 * A JSON text with other values for some strings among its top-level members. All the rest keeps its letters, so that numbers
 * no double can hold come through.
 */
export function withMembers(json: string, fields: Fields): string {
  const token = /"(?:[^"\\]|\\.)*"|[{}[\]]/g;
  let depth = 0;
  let made = '';
  let copied = 0;
  for (let found = token.exec(json); found; found = token.exec(json)) {
    const [text] = found;
    if (text === '{' || text === '[') depth += 1;
    else if (text === '}' || text === ']') depth -= 1;
    else if (depth === 1) {
      const colon = /^\s*:\s*(?=")/.exec(json.slice(token.lastIndex));
      const fresh = colon && valueIn(fields, nameIn(text));
      if (!colon || fresh === undefined || fresh === null) continue;
      made += json.slice(copied, token.lastIndex) + colon[0] + JSON.stringify(fresh);
      token.exec(json);
      copied = token.lastIndex;
    }
  }
  return made + json.slice(copied);
}

/** A form's text (`application/x-www-form-urlencoded`) with other values for some of its fields. */
export function withPairs(form: string, fields: Fields): string {
  return form
    .split('&')
    .map((pair) => {
      const [name = ''] = pair.split('=');
      const fresh = valueIn(fields, decoded(name));
      return fresh === undefined ? pair : `${name}=${encodeURIComponent(fresh)}`;
    })
    .join('&');
}

function valueIn(fields: Fields, name: string): string | undefined {
  return Object.hasOwn(fields, name) ? fields[name] : undefined;
}

function nameIn(quoted: string): string {
  try {
    return JSON.parse(quoted) as string;
  } catch {
    return '';
  }
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name.replaceAll('+', ' '));
  } catch {
    return name;
  }
}
