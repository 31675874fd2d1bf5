/**
 * A form as the bytes a browser would send (HTML, "multipart/form-data encoding algorithm"), for engines whose pages cannot
 * read them back. The files are not read here: the Blob refers to them.
 * @param boundary must not occur in the content; a random one does not
 */
export function encodeForm(form: FormData, boundary: string): { readonly body: Blob; readonly type: string } {
  const parts: BlobPart[] = [];
  form.forEach((value, name) => {
    const head = `--${boundary}\r\nContent-Disposition: form-data; name="${quoted(withCrLf(name))}"`;
    if (typeof value === 'string') parts.push(`${head}\r\n\r\n${withCrLf(value)}\r\n`);
    else {
      const type = value.type || 'application/octet-stream';
      parts.push(`${head}; filename="${quoted(value.name)}"\r\nContent-Type: ${type}\r\n\r\n`, value, '\r\n');
    }
  });
  parts.push(`--${boundary}--\r\n`);
  return { body: new Blob(parts), type: `multipart/form-data; boundary=${boundary}` };
}

function withCrLf(text: string): string {
  return text.replace(/\r\n?|\n/g, '\r\n');
}

function quoted(name: string): string {
  return name.replace(/\n/g, '%0A').replace(/\r/g, '%0D').replace(/"/g, '%22');
}
