-- What waits is asked on the operator's first page, beside years of net values that were published.
create index fund_navs_waiting on fund_navs (prepared_at) where published_at is null;
