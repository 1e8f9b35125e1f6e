export { parseYaml } from '../yaml/parse-yaml.ts'
