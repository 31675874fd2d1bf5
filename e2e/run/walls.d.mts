export function wallBetween(file: string, specifier: string, typeOnly: boolean): string | undefined;
