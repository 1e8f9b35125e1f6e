/** Title of a document without its own: the file name without folders. */
export const fileTitle = (name: string): string => name.split(/[/\\]/).at(-1) || name
