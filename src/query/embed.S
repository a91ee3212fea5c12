    .section .rodata
    .global residue_embedded_views_begin
    .global residue_embedded_views_end
residue_embedded_views_begin:
    .incbin "views.sql"
residue_embedded_views_end:
    .byte 0
    .section .note.GNU-stack,"",@progbits
