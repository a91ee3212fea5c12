    .section .rodata
    .global residue_embedded_category_rules_begin
    .global residue_embedded_category_rules_end
residue_embedded_category_rules_begin:
    .incbin "category_rules.txt"
residue_embedded_category_rules_end:
    .byte 0
    .global residue_embedded_name_lists_begin
    .global residue_embedded_name_lists_end
residue_embedded_name_lists_begin:
    .incbin "name_lists.txt"
residue_embedded_name_lists_end:
    .byte 0
    .section .note.GNU-stack,"",@progbits
