-- What a month's bills read of the ledger besides the fund's own tables.
create index ledger_postings_fund_income_moved on ledger_postings (member_id, accounting_day)
  where kind = 'fund_income_transfer';
