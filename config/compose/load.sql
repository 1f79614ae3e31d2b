-- One round of the load: a new order with two items, a price, an older order's status, and now and then a delete.
begin;
with chosen as (
  insert into shop.orders (customer_id)
    select id from shop.customers order by random() limit 1 returning id
)
insert into shop.order_items (order_id, line, product_id, quantity)
  select chosen.id, item.line, item.product_id, 1 + (random() * 4)::int
  from chosen, (select row_number() over () as line, id as product_id
                from (select id from shop.products order by random() limit 2) two) item;
commit;

update shop.products set price = round((1 + random() * 99)::numeric, 2)
  where id = (select id from shop.products order by random() limit 1);

update shop.orders set status = (array['paid', 'packed', 'shipped'])[1 + (random() * 2)::int]
  where id = (select id from shop.orders order by random() limit 1);

-- The shop stays small: from a thousand orders on, each round deletes the oldest with their items.
delete from shop.orders
  where id in (select id from shop.orders order by id limit greatest(0, (select count(*) - 1000 from shop.orders)));
