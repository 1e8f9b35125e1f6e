/**
 * Answers one message of a recorded run in a process of its own, and prints the answer:
 * `replay-message.ts DOMAIN FOLDER RUN MESSAGE FILES`.
 */
import { AIRLINE, RETAIL } from './domain.ts'
import { readDomain } from './read-domain.ts'
import { sayOverFiles } from './replay-run.ts'

const [name, folder = '', run = '', message = '', files = ''] = process.argv.slice(2)
const domain = name === RETAIL.name ? RETAIL : AIRLINE
const read = await readDomain(domain, folder)
const recorded = read?.runs[Number(run)]
if (read === undefined || recorded === undefined) throw new Error(`${folder} has no run ${run}`)
const replay = { domain, base: read.base, folder, place: Number(run) }
process.stdout.write(await sayOverFiles(replay, recorded, { place: Number(message), files }))
