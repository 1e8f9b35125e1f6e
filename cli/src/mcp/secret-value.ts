import { createRedactor } from 'echelon/runtime'

const SECRET_NAME = /key|token|secret|passw|credential|authorization|cookie/i
const redact = createRedactor()

/** Whether the name is typical of a secret, or the value looks like one. */
export const isSecret = (name: string, value: string): boolean =>
  SECRET_NAME.test(name) || redact(value) !== value

/** Whether a value holds a secret in plain text; one with `${NAME}` does not. */
export const looksSecret = (name: string, value: string): boolean =>
  !/\$\{\w+\}/.test(value) && isSecret(name, value)

const LOADING =
  /^(?:NODE_|LD_|DYLD_|PYTHON|PERL|RUBY|BASH_ENV$|ENV$|PATH$|_?JAVA_|JDK_|npm_|UV_|PIP_|GIT_|BUN_|DENO_)/i

/**
 * Whether a variable of this name makes a program load code. Its value is always shown, even if it
 * looks like a secret, so that no code can hide.
 */
export const loadsCode = (name: string): boolean => LOADING.test(name)
