import { useQuery } from '@tanstack/react-query'
import { apiFollow } from '../../lib/index.ts'
import { isOpen } from './withdrawal-view.ts'

/** One withdrawal, followed as long as it can still change. */
export const useWithdrawal = (withdrawId: string) =>
  useQuery(apiFollow('withdrawal', { params: { withdraw_id: withdrawId } }, isOpen))
