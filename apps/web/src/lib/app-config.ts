import { useQuery } from '@tanstack/react-query'
import { apiQuery } from './queries.ts'

/** Chain, contracts and limits, and what was really paid in the last 30 days. */
export const configQuery = apiQuery('config')

/** The config, undefined while it loads. */
export const useAppConfig = () => useQuery(configQuery).data
