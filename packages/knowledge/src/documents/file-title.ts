/** How a document is called that does not say it itself: its file, without the folders. */
export const fileTitle = (name: string): string => name.split(/[/\\]/).at(-1) || name
