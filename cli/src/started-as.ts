interface Started {
  readonly npm_lifecycle_event?: string | undefined
  readonly npm_package_name?: string | undefined
}

/**
 * Returns the first words of a command line, so that commands in hints can be typed as shown. `npm start` of
 * another package that calls the command does not count.
 */
export const startedBy = ({
  npm_lifecycle_event: script,
  npm_package_name: name,
}: Started): string =>
  script === 'start' && name === 'echelon-workspace' ? 'npm start --silent --' : 'echelon'

/** The first words of every command in a hint, from the way this process was started. Fixed for the process. */
export const STARTED_AS: string = startedBy(process.env)

/** A word, quoted for the shell if needed. */
export const quoted = (word: string): string =>
  /^[\w./:@~-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
