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
  script === 'start' && name === 'echelon' ? 'npm start --silent --' : 'echelon'

/** As whoever sits here starts the command: what every hint begins with that names a command. */
export const STARTED_AS: string = startedBy(process.env)

/** A word as a shell takes it for one. */
export const quoted = (word: string): string =>
  /^[\w./:@~-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
