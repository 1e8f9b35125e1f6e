interface Started {
  readonly npm_lifecycle_event?: string | undefined
  readonly npm_package_name?: string | undefined
}

/**
 * How the command was started, so that what a hint says can be typed. Another package's `npm start`
 * that calls the command is none of a clone's.
 */
export const startedBy = ({
  npm_lifecycle_event: script,
  npm_package_name: name,
}: Started): string =>
  script === 'start' && name === 'echelon-workspace' ? 'npm start --silent --' : 'echelon'

/** How this process was started: the first words of every command in a hint. Fixed for the process. */
export const STARTED_AS: string = startedBy(process.env)

/** A word as a shell takes it for one. */
export const quoted = (word: string): string =>
  /^[\w./:@~-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
