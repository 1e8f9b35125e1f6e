export { isPostgresAddress, postgresAddress } from '../postgres/connection/address.ts'
