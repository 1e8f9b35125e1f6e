/** As whoever sits here starts the command. */
export const STARTED_AS: string =
  process.env['npm_lifecycle_event'] === 'start' ? 'npm start --silent --' : 'echelon'

/** A word as a shell takes it for one. */
export const quoted = (word: string): string =>
  /^[\w./:@~-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
